/* SPDX-License-Identifier: GPL-2.0-only */
/* A spinlock; yields, since threads may outnumber processors. */
#ifndef DFX_SHIM_SPINLOCK_H
#define DFX_SHIM_SPINLOCK_H

#include <pthread.h>

#define spinlock_t		pthread_mutex_t
#define spin_lock_init(lock)	pthread_mutex_init(lock, NULL)
#define spin_lock(lock)		pthread_mutex_lock(lock)
#define spin_unlock(lock)	pthread_mutex_unlock(lock)

#endif /* DFX_SHIM_SPINLOCK_H */
