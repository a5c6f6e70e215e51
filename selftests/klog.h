/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * klog.h - what the kernel has said since a moment
 */
#ifndef DFX_TEST_KLOG_H
#define DFX_TEST_KLOG_H

/* From now on. Returns a descriptor for klog_count(), or -1. */
int klog_open(void);

/*
 * Messages that contain @text among those that came since klog_open() or the
 * last klog_count(); -1 if some were overwritten before they were read.
 */
int klog_count(int fd, const char *text);

#endif /* DFX_TEST_KLOG_H */
