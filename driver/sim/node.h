/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * node.h - /dev/dfx_simN, through which a process is the firmware
 */
#ifndef DFX_SIM_NODE_H
#define DFX_SIM_NODE_H

struct dfx_sim;
struct dfx_sim_node;

/**
 * dfx_sim_node_create() - make the node of a device
 * @sim: the device, with its aperture; must outlive the node's registration.
 *
 * Return: the node; or ERR_PTR(): -ENOMEM, -EBUSY if there are no minors left,
 * -EOPNOTSUPP where pages are larger than the layout's.
 */
struct dfx_sim_node *dfx_sim_node_create(struct dfx_sim *sim);

/**
 * dfx_sim_node_destroy() - take the node away, and the host's regions with it
 * @node: from dfx_sim_node_create().
 *
 * Does not wait for the process. What it has mapped is not there any more on
 * return, and the aperture is not touched.
 */
void dfx_sim_node_destroy(struct dfx_sim_node *node);

#endif /* DFX_SIM_NODE_H */
