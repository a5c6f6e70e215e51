/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * dfx_test_util.h - the ioctls, one triplet each
 *
 * _test_ioctl_x() makes the call and returns what ioctl() does; test_ioctl_x()
 * asserts that it succeeds; test_err_ioctl_x() expects an error. Output members
 * are filled with a pattern beforehand, so that one that is not written shows.
 */
#ifndef DFX_TEST_UTIL_H
#define DFX_TEST_UTIL_H

#include <errno.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include <linux/dfx.h>

#include "deadline.h"
#include "fw.h"
#include "klog.h"
#include "ledger.h"
#include "ring.h"
#include "snap.h"
#include "stuck.h"

/* Not a value that any output member can have. */
#define PATTERN8	0xcc
#define PATTERN32	0xccccccccu
#define PATTERN64	0xccccccccccccccccull

#define EXPECT_ERRNO(expected, call) \
	({ \
		errno = 0; \
		EXPECT_EQ(-1, call) \
		{ \
			TH_LOG("%s succeeded", #call); \
		} \
		EXPECT_EQ(expected, errno) \
		{ \
			TH_LOG("%s: %s", #call, strerror(errno)); \
		} \
	})

/* Waits for a condition that the driver or a thread brings about. */
#define EXPECT_SOON(cond)	EXPECT_TRUE(WITHIN(SOON_MS, cond))
#define ASSERT_SOON(cond)	ASSERT_TRUE(WITHIN(SOON_MS, cond))

static inline int _test_ioctl_query(int fd, struct dfx_query *q)
{
	memset(q, PATTERN8, sizeof(*q));
	q->size = sizeof(*q);
	q->flags = 0;
	return ioctl(fd, DFX_IOC_QUERY, q);
}

#define test_ioctl_query(fd, q) \
	ASSERT_EQ(0, _test_ioctl_query(fd, q))
#define test_err_ioctl_query(err, fd, q) \
	EXPECT_ERRNO(err, _test_ioctl_query(fd, q))

static inline int _test_ioctl_pools(int fd, struct dfx_pool_info *info,
				    __u32 *nr)
{
	struct dfx_pools p = {
		.size = sizeof(p),
		.pools_uptr = (__u64)(unsigned long)info,
		.nr_pools = *nr,
	};
	int rc = ioctl(fd, DFX_IOC_POOLS, &p);

	*nr = p.nr_pools;
	return rc;
}

#define test_ioctl_pools(fd, info, nr) \
	ASSERT_EQ(0, _test_ioctl_pools(fd, info, nr))
#define test_err_ioctl_pools(err, fd, info, nr) \
	EXPECT_ERRNO(err, _test_ioctl_pools(fd, info, nr))

/* snap_take() of snap.h is the plain function of STATE. */
#define test_ioctl_state(fd, snap) \
	ASSERT_EQ(0, snap_take(snap, fd))
#define test_err_ioctl_state(err, fd, snap) \
	EXPECT_ERRNO(err, snap_take(snap, fd))

static inline int _test_ioctl_attach(int fd, __u64 lanes, struct dfx_attach *a)
{
	memset(a, PATTERN8, sizeof(*a));
	a->size = sizeof(*a);
	a->flags = 0;
	a->lanes = lanes;
	return ioctl(fd, DFX_IOC_ATTACH, a);
}

#define test_ioctl_attach(fd, lanes, a) \
	ASSERT_EQ(0, _test_ioctl_attach(fd, lanes, a))
#define test_err_ioctl_attach(err, fd, lanes, a) \
	EXPECT_ERRNO(err, _test_ioctl_attach(fd, lanes, a))

static inline int _test_ioctl_detach(int fd)
{
	struct dfx_detach d = { .size = sizeof(d) };

	return ioctl(fd, DFX_IOC_DETACH, &d);
}

#define test_ioctl_detach(fd) \
	ASSERT_EQ(0, _test_ioctl_detach(fd))
#define test_err_ioctl_detach(err, fd) \
	EXPECT_ERRNO(err, _test_ioctl_detach(fd))

static inline int _test_ioctl_start(int fd, __u64 lanes, __u64 *session)
{
	struct dfx_start s = {
		.size = sizeof(s),
		.lanes = lanes,
		.out_session = PATTERN64,
	};
	int rc = ioctl(fd, DFX_IOC_START, &s);

	*session = s.out_session;
	return rc;
}

#define test_ioctl_start(fd, lanes, session) \
	ASSERT_EQ(0, _test_ioctl_start(fd, lanes, session))
#define test_err_ioctl_start(err, fd, lanes) \
	({ \
		__u64 _session; \
		EXPECT_ERRNO(err, _test_ioctl_start(fd, lanes, &_session)); \
	})

static inline int _test_ioctl_stop(int fd, __u64 *session, __u64 *silent)
{
	struct dfx_stop s = {
		.size = sizeof(s),
		.out_session = PATTERN64,
		.out_silent = PATTERN64,
	};
	int rc = ioctl(fd, DFX_IOC_STOP, &s);

	*session = s.out_session;
	*silent = s.out_silent;
	return rc;
}

/* No lane is silent. */
#define test_ioctl_stop(fd) \
	({ \
		__u64 _session, _silent; \
		ASSERT_EQ(0, _test_ioctl_stop(fd, &_session, &_silent)); \
		EXPECT_EQ(0, _silent); \
	})
#define test_err_ioctl_stop(err, fd) \
	({ \
		__u64 _session, _silent; \
		EXPECT_ERRNO(err, _test_ioctl_stop(fd, &_session, &_silent)); \
	})

static inline int _test_ioctl_flush(int fd, __u64 timeout_ns, __u64 *number,
				    __u64 *pending)
{
	struct dfx_flush f = {
		.size = sizeof(f),
		.timeout_ns = timeout_ns,
		.out_number = PATTERN64,
		.out_pending = PATTERN64,
	};
	int rc = ioctl(fd, DFX_IOC_FLUSH, &f);

	*number = f.out_number;
	*pending = f.out_pending;
	return rc;
}

#define test_ioctl_flush(fd, timeout_ns, number, pending) \
	ASSERT_EQ(0, _test_ioctl_flush(fd, timeout_ns, number, pending))
#define test_err_ioctl_flush(err, fd, timeout_ns, number, pending) \
	EXPECT_ERRNO(err, _test_ioctl_flush(fd, timeout_ns, number, pending))

static inline int _test_ioctl_wait(int fd, __u64 timeout_ns, __u32 *events)
{
	struct dfx_wait w = {
		.size = sizeof(w),
		.timeout_ns = timeout_ns,
		.out_events = PATTERN32,
	};
	int rc = ioctl(fd, DFX_IOC_WAIT, &w);

	*events = w.out_events;
	return rc;
}

#define test_ioctl_wait(fd, timeout_ns, events) \
	ASSERT_EQ(0, _test_ioctl_wait(fd, timeout_ns, events))
#define test_err_ioctl_wait(err, fd, timeout_ns) \
	({ \
		__u32 _events; \
		EXPECT_ERRNO(err, _test_ioctl_wait(fd, timeout_ns, &_events)); \
	})

static inline int _test_ioctl_policy(int fd, __u32 flags, struct dfx_policy *p)
{
	p->size = sizeof(*p);
	p->flags = flags;
	return ioctl(fd, DFX_IOC_POLICY, p);
}

/* Sets what is named, the rest to its default. */
#define test_ioctl_policy(fd, ...) \
	({ \
		struct dfx_policy _policy = { __VA_ARGS__ }; \
		ASSERT_EQ(0, _test_ioctl_policy(fd, DFX_POLICY_SET, \
						&_policy)); \
	})
#define test_err_ioctl_policy(err, fd, ...) \
	({ \
		struct dfx_policy _policy = { __VA_ARGS__ }; \
		EXPECT_ERRNO(err, _test_ioctl_policy(fd, DFX_POLICY_SET, \
						     &_policy)); \
	})

static inline int _test_ioctl_reset(int fd, __u64 *revived)
{
	struct dfx_reset r = { .size = sizeof(r), .out_revived = PATTERN64 };
	int rc = ioctl(fd, DFX_IOC_RESET, &r);

	*revived = r.out_revived;
	return rc;
}

#define test_ioctl_reset(fd, revived) \
	ASSERT_EQ(0, _test_ioctl_reset(fd, revived))
#define test_err_ioctl_reset(err, fd) \
	({ \
		__u64 _revived; \
		EXPECT_ERRNO(err, _test_ioctl_reset(fd, &_revived)); \
	})

static inline int _test_ioctl_frame(int fd, __u32 type, void *buf, __u64 *len)
{
	struct dfx_get_frame g = {
		.size = sizeof(g),
		.type = type,
		.buf_uptr = (__u64)(unsigned long)buf,
		.len = *len,
	};
	int rc = ioctl(fd, DFX_IOC_FRAME, &g);

	*len = g.len;
	return rc;
}

#define test_ioctl_frame(fd, type, buf, len) \
	ASSERT_EQ(0, _test_ioctl_frame(fd, type, buf, len))
#define test_err_ioctl_frame(err, fd, type, buf, len) \
	EXPECT_ERRNO(err, _test_ioctl_frame(fd, type, buf, len))

/* The identity R7 of every pool, once all that was published is taken. */
#define expect_identity(fd) \
	({ \
		struct snap _snap; \
		test_ioctl_state(fd, &_snap); \
		for (__u32 _i = 0; _i < _snap.s.nr_pools; _i++) { \
			struct dfx_pool_state *_p = &_snap.pools[_i]; \
			EXPECT_EQ(_p->produced, _p->delivered + \
				  snap_dropped(_p) + _p->in_flight) \
			{ \
				TH_LOG("pool %u: produced %llu delivered %llu dropped %llu in flight %llu", \
				       _i, _p->produced, _p->delivered, \
				       snap_dropped(_p), _p->in_flight); \
			} \
		} \
	})

#endif /* DFX_TEST_UTIL_H */
