/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * dfx.pml - the buffer protocol between lanes and host, for spin
 *
 * Each access to a shared word is one step, so that every interleaving of
 * loads and stores is looked at, under sequential consistency. What a process
 * computes on its own rides along with the access before it. README.md says
 * which process stands for which function, what is left out, and why
 * sequential consistency may be assumed.
 *
 * Set with -D, see configs:
 *	BUFS, DEPTH, SLOTS	buffers of a pool, depths of its two queues
 *	BUFS1			buffers of lane 1's pool, if other
 *	LANES			1 or 2; each has one pool
 *	LANE_RECOVERY		recovery=lane instead of recovery=global
 *	ARENA			lane 0 is an arena leader
 *	COPIES			consumers copy a buffer and let go of it in one step
 *	DIES			consumers die, and others take their place
 *	GONE			and may stay away; then deadlines expire
 *	STOPS			the host stops the session at some moment
 *	BUDGET			entries that one pass takes from one lane
 *	LIVE			for liveness: at most one death, which is followed by
 *				a replacement; lane 1 may cease to record
 * A wrong variant is set with one of the names that begin with V_.
 */

#ifndef LANES
#define LANES	2
#endif
#ifndef BUFS1
#define BUFS1	BUFS
#endif
#ifndef BUDGET
#define BUDGET	DEPTH
#endif

#define RQ	0	/* gates */
#define FQ	1
#define NONE	255	/* no buffer */

/* Free-running indices, modulo twice the depth: full and empty differ. */
#define RQM	(2 * DEPTH)
#define FQM	(2 * SLOTS)
/*
 * Record numbers. Modulo no less than a pool has buffers: records whose buffers
 * have gone astray leave too few of them for a number to come round unnoticed.
 */
#if BUFS > 2
#define RECM	4
#else
#define RECM	2
#endif
#define SUB(a, b, m)	(((a) + (m) - (b)) % (m))

#define FILL(q, m)	SUB(q##_tail[l], q##_head[l], m)

#define NR_BUFS	(LANES * BUFS)	/* ids; a smaller pool leaves some unused */
#define POOL(l)	((l) == 0 -> BUFS : BUFS1)

/* enum dfx_owner */
#define FREE	0
#define QUEUED	1
#define DEVICE	2
#define READY	3
#define HELD	4

/* ---- shared memory ------------------------------------------------------- */

bit freeze[2];			/* written by the host */
bit contended[2];		/* set by lanes, cleared by the host */
byte rq_tail[LANES];		/* written by the lane */
byte rq_head[LANES];		/* written by the host */
byte rq_buf[LANES * DEPTH];	/* entries, written by the lane */
#ifdef GONE
byte rq_lost[LANES * DEPTH];
#endif
#ifdef ARENA
bit rq_pay[DEPTH];		/* lane 0's entry names a payload */
#endif
byte fq_tail[LANES];		/* written by the host */
byte fq_head[LANES];		/* written by the lane */
byte fq_slot[LANES * SLOTS];	/* written by the host */
byte mem[NR_BUFS];		/* what is in a buffer: one record's number */
#ifdef STOPS
bit stopping;			/* struct dfx_shm_ctl, as one word */
bit ack[LANES];			/* written by the lane */
#endif

/* ---- the driver's tables; under the region's lock ------------------------ */

byte owner[NR_BUFS];
byte seen_head[LANES];		/* dfx_hpool.fq_head */
chan free[LANES] = [BUFS] of { byte };
chan ready[LANES] = [BUFS] of { byte };
chan held[LANES] = [BUFS] of { byte };
#if defined(DIES) || defined(GONE)
bit present[LANES] = 1;		/* the lane has a consumer */
#endif
#ifdef STOPS
bit ended;			/* DRAINING or later */
#endif
#ifdef ARENA
byte payload = NONE;		/* buffer whose entry names the payload */
#endif

/* ---- only for the assertions --------------------------------------------- */

bit dev[NR_BUFS];		/* the lane has it */
bit filled[NR_BUFS];		/* it holds a record that nobody has stored */
byte next_entry[LANES];		/* record that the next entry must have */
#ifndef GONE
byte next_hold[LANES];		/* record that is handed out next, */
byte again[LANES];		/* once so many have been so again */
#endif
#ifdef STOPS
byte published[LANES];		/* records published when the lane stopped */
#endif
#ifdef ARENA
bit live;			/* the payload is published and not reclaimed */
bit used;			/* the leader has no room for another */
bit owed;			/* the leader's mark awaits a whole cycle */
#endif
#ifdef GONE
byte gone[LANES];		/* dfx_dev_lane.gone: 0, or 1 + gate */
bit moved[LANES];		/* the free queue's tail has, since then */
#endif

#ifdef GONE
#define TAIL_MOVED	moved[l] = (gone[l] == 1 + FQ)
#else
#define TAIL_MOVED	skip
#endif

#define FROZEN		(freeze[RQ] || freeze[FQ])

/* No instant with both at zero between a leader's mark and its release. */
#ifdef ARENA
#define CHECK_OWED	assert(!owed || contended[FQ] || freeze[FQ])
/* The arena holds one payload; an entry takes one along when there is room. */
#define PUBLISH_PAYLOAD							\
	if								\
	:: l == 0 && !used ->						\
		used = 1;						\
		live = 1;						\
		rq_pay[rq_tail[0] % DEPTH] = 1				\
	:: else								\
	fi
#define TAKE_PAYLOAD							\
	if								\
	:: l == 0 && rq_pay[rq_head[0] % DEPTH] ->			\
		rq_pay[rq_head[0] % DEPTH] = 0;				\
		payload = b						\
	:: else								\
	fi
#else
#define CHECK_OWED	skip
#define PUBLISH_PAYLOAD	skip
#define TAKE_PAYLOAD	skip
#endif

/*
 * Under the region's lock consumers act between passes only. For liveness they
 * may act at any time, since weak fairness is too weak for a lock.
 */
#ifdef LIVE
#define LOCK		true
#define UNLOCK		skip
#define UNLOCKED	true
#else
#define LOCK		locked = 1
#define UNLOCK		locked = 0
#define UNLOCKED	!locked
bit locked;
#endif

#define MOVE(b, from, to) \
	assert(owner[b] == (from)); \
	owner[b] = (to)

/* ---- lane: lib/device/dfx_dev.c ------------------------------------------ */

/* One turn of a wait: what may end it, beside what is waited for. */
#ifdef GONE
#define LOOKS_AGAIN	!gone[l]
#define MAY_GIVE_UP	(gone[l] || !present[l])
/* dfx_dev_give_up(); a lane that has done so before fails at once. */
#define GIVE_UP(g)							\
	if								\
	:: !gone[l] ->							\
		d_step { gone[l] = 1 + g; was_frozen = freeze[FQ] }	\
		moved[l] = 0						\
	:: gone[l]							\
	fi
/* dfx_dev_host_back() */
#ifdef V_STAYS_GONE
#define HOST_BACK(g)	skip
#else
#define HOST_BACK(g)							\
	if								\
	:: gone[l] == 1 + g ->						\
		gone[l] = 0;						\
		moved[l] = 0;						\
		was_frozen = 0						\
	:: else								\
	fi
#endif
#else
#define LOOKS_AGAIN	true
#endif
#ifdef STOPS
#define STOPPED		stopping
#else
#define STOPPED		false
#endif

/* dfx_dev_mark() */
inline mark(g)
{
	if
	:: contended[g]
	:: else ->
		if
		:: freeze[g]
		:: else -> contended[g] = 1		/* (D) */
		fi
	fi
}

/* dfx_dev_push(): sets ok */
inline push()
{
	ok = 0;
	do
	/* dfx_dev_rq_room() */
	:: if
	   :: FILL(rq, RQM) < DEPTH -> ok = 1; break
	   :: else -> assert(FILL(rq, RQM) <= DEPTH); mark(RQ)
	   fi;
	   if
	   :: LOOKS_AGAIN
#ifdef GONE
	   :: MAY_GIVE_UP -> GIVE_UP(RQ); break
#endif
	   fi
	od;
	if
	:: ok ->
#ifdef GONE
		/* Room behind a barrier that is still closed is no sign. */
		if
		:: freeze[RQ]
		:: else -> d_step { HOST_BACK(RQ) }
		fi;
#endif
		/* dfx_dev_publish() */
		d_step {				/* (A) */
#ifdef GONE
#ifdef V_GAP_EARLY
			before = lost;
			lost = 0;
#endif
			rq_lost[l * DEPTH + rq_tail[l] % DEPTH] = before;
			before = 0;
#endif
			rq_buf[l * DEPTH + rq_tail[l] % DEPTH] = cur;
			assert(dev[cur]);
			dev[cur] = 0;
			PUBLISH_PAYLOAD;
			rq_tail[l] = (rq_tail[l] + 1) % RQM;
#ifndef V_FAIL_AFTER_PUBLISH
			cur = NONE
#endif
		}
		/* dfx_dev_push_barrier() */
		if
		:: !freeze[RQ]
#ifdef V_FAIL_AFTER_PUBLISH
			-> cur = NONE
#endif
#ifdef STOPS
		:: freeze[RQ] && STOPPED
#endif
#ifdef GONE
		:: freeze[RQ] && MAY_GIVE_UP -> GIVE_UP(RQ);
#ifdef V_FAIL_AFTER_PUBLISH
			ok = 0
#endif
#endif
		fi
	:: else
	fi
}

/* dfx_dev_pop(): sets ok, or off if the session has ended */
inline pop()
{
	ok = 0;
	do
	:: !freeze[FQ] ->
		/* dfx_dev_fq_take() */
		if
		:: FILL(fq, FQM) > 0 ->
			d_step {
				assert(FILL(fq, FQM) <= SLOTS);
				cur = fq_slot[l * SLOTS + fq_head[l] % SLOTS];
				assert(cur / BUFS == l);
				assert(owner[cur] == QUEUED && !dev[cur]);
				dev[cur] = 1;
				fq_head[l] = (fq_head[l] + 1) % FQM;
#if defined(GONE) && !defined(V_GAP_EARLY)
				/* Lost before the records of this buffer. */
				before = lost;
				lost = 0;
#endif
				/* The caller's record, and dfx_dev_commit(). */
				assert(!filled[cur]);
				filled[cur] = 1;
				mem[cur] = rec;
				rec = (rec + 1) % RECM;
				ok = 1
			}
#ifdef GONE
			/* A freeze that has ended since, or a refill. */
			d_step {
				if
				:: was_frozen || moved[l] -> HOST_BACK(FQ)
				:: else
				fi
			}
#endif
			break
		:: else -> mark(FQ)
		fi;
		if
		:: LOOKS_AGAIN && !STOPPED
#ifdef GONE
		:: MAY_GIVE_UP -> GIVE_UP(FQ); break
#endif
#ifdef STOPS
		:: STOPPED -> off = 1; break
#endif
		fi
#ifdef GONE
	:: freeze[FQ] && MAY_GIVE_UP -> GIVE_UP(FQ); break
#endif
#ifdef STOPS
	:: freeze[FQ] && STOPPED -> off = 1; break
#endif
	od
}

/* dfx_dev_await_release() */
inline await_release()
{
#ifdef GONE
	/* The mark of a wait that expired may have been answered since. */
	if
	:: contended[FQ]
	:: else ->
		if
		:: freeze[FQ]
		:: else -> d_step { HOST_BACK(FQ) }
		fi
	fi;
#endif
	d_step { contended[FQ] = 1; owed = 1 }		/* (D) */
	do
#ifdef V_FREEZE_FIRST
	:: !freeze[FQ] ->
		if
		:: !contended[FQ] -> ok = 1; break
		:: else
		fi
#else
	:: !contended[FQ] ->
		if
		:: !freeze[FQ] -> ok = 1; break
		:: else
		fi
#endif
#ifdef GONE
	:: MAY_GIVE_UP -> GIVE_UP(FQ); break
#endif
#ifdef STOPS
	:: STOPPED -> off = 1; break
#endif
	od;
#if defined(STOPS) && !defined(V_STOP_RELEASES)
	/* A stop closes the freeze as well: that is no release. */
	if
	:: ok && STOPPED -> ok = 0; off = 1
	:: else
	fi
#endif
}

/* dfx_dev_arena_wait() with recovery=lane: waits for arena_head alone */
inline await_room()
{
	do
	:: !live -> ok = 1; break
#ifdef GONE
	:: MAY_GIVE_UP -> GIVE_UP(FQ); break
#endif
#ifdef STOPS
	:: STOPPED -> off = 1; break
#endif
	od
}

inline arena_wait()
{
	ok = 0;
#if defined(LANE_RECOVERY) && !defined(V_LANE_RELEASE)
	await_room();
#else
	await_release();
#endif
	if
	:: ok || !ok ->
		/* If it was released, its arena has been reclaimed. */
		d_step {
			assert(!ok || !live);
			owed = 0;
			used = used && !ok
		}
	fi
}

proctype lane(byte l)
{
	byte cur = NONE;
	byte rec;
	bit ok, off;
#ifdef GONE
	byte lost, before;
	bit was_frozen;
#endif

	do
	:: d_step {
		/* dfx_dev_reserve_slow(), dfx_dev_obey() */
		off = STOPPED;
		ok = (cur == NONE)
	   }
	   if
	   :: off -> break
#ifdef LIVE
	   :: !off && l == 1 -> break
#endif
	   :: !off
	   fi;
	   if
	   :: !ok -> push()
	   :: else
	   fi;
#ifdef ARENA
	   if
	   :: ok && l == 0 && used -> arena_wait()
	   :: ok
	   :: else
	   fi;
#endif
	   if
	   :: !off && cur == NONE -> pop()
	   :: else
	   fi;
	   if
	   :: off -> break
	   :: !off && ok
#ifdef GONE
	   :: !off && !ok ->
		/* dfx_dev_count_drop() */
		d_step {
			rec = (rec + 1) % RECM;
			lost = (lost + 1) % RECM
		}
#endif
	   fi
	od;
#ifdef STOPS
	/* dfx_dev_stop(): whoever asks is there, so that the lane waits again. */
#ifdef GONE
	if
	:: gone[l] -> d_step { HOST_BACK(gone[l] - 1) }
	:: else
	fi;
#endif
	if
	:: cur != NONE -> push()
	:: else
	fi;
	/* dfx_dev_abandon(), dfx_dev_idle(), then the ack. */
	d_step {
#ifdef GONE
		if
		:: cur != NONE ->
			rec = SUB(mem[cur], before, RECM);
#ifndef V_STOP_FORGETS
			filled[cur] = 0
#endif
		:: else -> rec = SUB(rec, lost, RECM)
		fi;
#endif
		published[l] = rec;
		ack[l] = 1
	}
#endif
}

/* ---- host: driver/pass.c ------------------------------------------------- */

/* Stores become visible in order; without a fence, loads do not wait for them. */
#ifdef V_NO_FENCE
bit delayed;
#define STORES	!delayed ->
#else
#define STORES
#endif

/* dfx_pass_marks() for one gate */
inline consume(g)
{
	if
	:: contended[g] ->
#ifdef V_CLEAR_FIRST
		d_step { contended[g] = 0; CHECK_OWED }
		freeze[g] = 1
#else
		freeze[g] = 1;				/* (E) */
#ifdef V_NO_FENCE
		if
		:: g == FQ -> delayed = 1
		:: else -> contended[g] = 0
		fi
#else
		d_step { contended[g] = 0; CHECK_OWED }	/* (F) */
#endif
#endif
	:: else
	fi
}

/* dfx_replenish_observe() */
inline observe()
{
	d_step {
		n = SUB(fq_head[l], seen_head[l], FQM);
		assert(n <= SUB(fq_tail[l], seen_head[l], FQM));
		do
		:: n > 0 ->
			i = fq_slot[l * SLOTS + seen_head[l] % SLOTS];
			MOVE(i, QUEUED, DEVICE);
			fq_slot[l * SLOTS + seen_head[l] % SLOTS] = 0;
			seen_head[l] = (seen_head[l] + 1) % FQM;
			n--
		:: else -> break
		od;
		i = 0
	}
}

#define ENTRY	rq_buf[l * DEPTH + rq_head[l] % DEPTH]

/* After the last entry of a lane in this pass. */
#ifdef V_DRY_FULL
#define EVENT	event[l] = taken > 0
#else
#define EVENT	skip
#endif
#define DRAINED								\
	if								\
	:: taken == fill || taken == BUDGET ->				\
		rq_empty = rq_empty && taken == fill;			\
		EVENT;							\
		fill = 0;						\
		taken = 0						\
	:: else								\
	fi

/* dfx_drain_lane() */
inline drain()
{
	d_step {
		fill = FILL(rq, RQM);
		assert(fill <= DEPTH);
		taken = 0;
		DRAINED
	}
	do
	:: taken < fill && taken < BUDGET ->
		/* dfx_drain_check() */
		if
		:: owner[ENTRY] == QUEUED -> observe()
		:: else
		fi;
		d_step {				/* (B) */
			STORES
			b = ENTRY;
			MOVE(b, DEVICE, READY);
			/* The sequence, and what the entry says is lost. */
#ifdef GONE
			next_entry[l] = (next_entry[l] +
				rq_lost[l * DEPTH + rq_head[l] % DEPTH]) % RECM;
			rq_lost[l * DEPTH + rq_head[l] % DEPTH] = 0;
#endif
			assert(mem[b] == next_entry[l]);
			next_entry[l] = (next_entry[l] + 1) % RECM;
			ready[l]!b;
			TAKE_PAYLOAD;
			ENTRY = 0;
			rq_head[l] = (rq_head[l] + 1) % RQM;
			taken++;
			b = 0;
			DRAINED
		}
	:: else -> break
	od
}

/* dfx_replenish_limit(): min(slots, buffers - held by the device) */
inline count_not_device()
{
	n = 0;
	i = 0;
	do
	:: i < POOL(l) ->
		n = n + (owner[l * BUFS + i] == DEVICE -> 0 : 1);
		i++
	:: else -> break
	od;
	i = 0
}

#ifdef V_WHOLE_LIMIT
#define LIMIT	SLOTS
#else
#define LIMIT	(n < SLOTS -> n : SLOTS)
#endif

/* dfx_replenish_pool(), dfx_replenish_at_limit() */
inline refill()
{
	observe();
	d_step {					/* (G) */
		STORES
		do
		:: SUB(fq_tail[l], seen_head[l], FQM) < SLOTS &&
		   len(free[l]) > 0 ->
			free[l]?b;
			MOVE(b, FREE, QUEUED);
			fq_slot[l * SLOTS + fq_tail[l] % SLOTS] = b;
			fq_tail[l] = (fq_tail[l] + 1) % FQM;
			pushed = 1;
			TAIL_MOVED
		:: else -> break
		od;
#ifdef V_DRY_FULL
		topped = topped && !pushed;
#else
		count_not_device();
		topped = topped && SUB(fq_tail[l], seen_head[l], FQM) >= LIMIT;
		n = 0;
#endif
		b = 0;
		pushed = 0
	}
}

/*
 * dfx_arena_release_ready(): whatever was taken has been released. As ready and
 * held change under the lock only, looking is no step of its own.
 */
#ifdef ARENA
#if LANES == 1
#define RELEASE_READY	(len(ready[0]) + len(held[0]) == 0)
#else
#define RELEASE_READY	(len(ready[0]) + len(held[0]) + len(ready[1]) +	\
			 len(held[1]) == 0)
#endif
#else
#define RELEASE_READY	true
#endif

/*
 * The freeze is about to end by the conjunction. Every pool has all that it can
 * have, and what its leader was promised has happened.
 */
inline check_close()
{
	l = 0;
	do
	:: l < LANES ->
		count_not_device();
		assert(SUB(fq_tail[l], seen_head[l], FQM) >= LIMIT);
		l++
	:: else -> break
	od;
	l = 0;
	n = 0
}

proctype host()
{
	byte l, n, i, b, fill, taken;
	bit rq_empty, topped, pushed;
#ifdef V_DRY_FULL
	bit event[LANES];
#endif

	do
	:: LOCK ->
#ifdef STOPS
		if
		:: stopping
		:: !stopping ->
#endif
#ifndef LANE_RECOVERY
#ifdef V_CONSUME_LATE
			if
			:: !FROZEN -> consume(RQ); consume(FQ)
			:: else
			fi;
#else
			consume(RQ);
			consume(FQ);
#endif
#endif
#ifdef STOPS
		fi;
#endif
		rq_empty = 1;
		l = 0;
		do
		:: l < LANES -> drain(); l++
		:: else -> break
		od;
		l = 0;
#ifdef STOPS
		if
		:: stopping ->
			/* dfx_control_pending(): the ack, then the queue. */
			do
			:: l < LANES && ack[l] ->
				if
				:: rq_tail[l] == rq_head[l] -> l++
				:: else -> break
				fi
			:: else -> break
			od;
			if
			:: l == LANES -> d_step { ended = 1; UNLOCK }; break
			:: else -> l = 0
			fi
		:: !stopping ->
#endif
		/* dfx_freeze_may_refill() */
		if
		:: !FROZEN || rq_empty ->
			topped = 1;
			do
			:: l < LANES ->
#ifdef V_DRY_FULL
				if
				:: FROZEN || event[l] -> refill()
				:: else
				fi;
#else
				refill();
#endif
				l++
			:: else -> break
			od;
			l = 0;
			/* dfx_freeze_close() */
			if
			:: FROZEN && rq_empty && topped && RELEASE_READY ->
#ifdef V_CONSUME_LATE
				contended[RQ] = 0;
				contended[FQ] = 0;
#endif
				/* dfx_pass_close_freeze() */
				d_step {			/* (H) */
					STORES
					check_close();
					freeze[RQ] = 0
				}
				d_step {			/* (H) */
#ifdef ARENA
					/* Consumed before the tests. */
					if
					:: !contended[FQ] ->
						assert(!owed || !live);
						owed = 0
					:: else
					fi;
#endif
					freeze[FQ] = 0
				}
			:: else
			fi
		:: else
		fi;
		d_step { topped = 0; rq_empty = 0; UNLOCK }
#ifdef STOPS
		if
		:: true
		:: true ->
			/* dfx_control_stop() */
			stopping = 1;
			freeze[RQ] = 0;
			d_step {
				freeze[FQ] = 0;
#ifdef ARENA
				/* No release: the leader is to see the stop. */
				owed = 0
#endif
			}
		fi
		fi
#endif
	od
}

#ifdef V_NO_FENCE
proctype store_buffer()
{
	do
	:: d_step { delayed -> delayed = 0; contended[FQ] = 0 }
	od
}
#endif

#ifdef V_TWO_WRITERS
/* Tops up on its own, as a drain thread would that sees a free buffer. */
proctype second_writer(byte l)
{
	byte b, tail;

	do
	:: d_step {
		len(free[l]) > 0 &&
		SUB(fq_tail[l], seen_head[l], FQM) < SLOTS ->
		tail = fq_tail[l];
		free[l]?b;
		MOVE(b, FREE, QUEUED)
	   }
	   fq_slot[l * SLOTS + tail % SLOTS] = b;
	   d_step {
		fq_tail[l] = (tail + 1) % FQM;
		tail = 0;
		b = 0
	   }
	od
}
#endif

/* ---- consumers: driver/consumer.c, over driver/table.c ------------------- */

#if defined(DIES) || defined(GONE)
#define PRESENT	present[l]
#else
#define PRESENT	true
#endif

/* dfx_table_release() */
inline release()
{
	held[l]??eval(b);
	assert(filled[b]);
	filled[b] = 0;
	mem[b] = 0;
	MOVE(b, HELD, FREE);
#ifdef ARENA
	/* dfx_arena_done() */
	if
	:: payload == b -> payload = NONE; live = 0
	:: else
	fi;
#endif
	free[l]!b
}

#define RELEASE(k)							\
	d_step {							\
		UNLOCKED && PRESENT && owner[l * BUFS + k] == HELD ->	\
		b = l * BUFS + k;					\
		release();						\
		b = 0							\
	}

/* dfx_table_requeue(): what was held goes before what is ready */
inline requeue()
{
	n = len(ready[l]);
	do
	:: len(held[l]) > 0 ->
		held[l]?b;
		MOVE(b, HELD, READY);
#ifndef GONE
		again[l]++;
#endif
		ready[l]!b
	:: else -> break
	od;
	do
	:: n > 0 -> ready[l]?b; ready[l]!b; n--
	:: else -> break
	od;
	b = 0
}

proctype consumer(byte l)
{
	byte b, n;
#ifdef LIVE
	bit died;
#endif

	do
	:: d_step {
		/* dfx_table_hold() */
		UNLOCKED && PRESENT && len(ready[l]) > 0 ->
		ready[l]?b;
		MOVE(b, READY, HELD);
		held[l]!b;
		/* In the order of arrival. */
		assert(filled[b]);
#ifndef GONE
		if
		:: again[l] > 0 -> again[l]--
		:: else ->
			assert(mem[b] == next_hold[l]);
			next_hold[l] = (next_hold[l] + 1) % RECM
		fi;
#endif
#ifdef COPIES
		release();
#endif
		b = 0
	   }
#if defined(COPIES) && defined(LIVE)
progress_copied:
		skip
#endif
#ifndef COPIES
	/* In any order. */
	:: RELEASE(0);
#ifdef LIVE
progress_0:	skip
#endif
#if BUFS > 1
	:: RELEASE(1);
#ifdef LIVE
progress_1:	skip
#endif
#endif
#if BUFS > 2
	:: RELEASE(2);
#ifdef LIVE
progress_2:	skip
#endif
#endif
#endif
#ifdef GONE
	:: d_step { UNLOCKED && present[l] -> present[l] = 0; requeue() }
	:: !present[l] -> present[l] = 1
#elif defined(DIES) && defined(LIVE)
	:: d_step { !died && len(held[l]) > 0 -> died = 1; requeue() }
#elif defined(DIES)
	:: d_step { UNLOCKED && len(held[l]) > 0 -> requeue() }
#endif
#ifdef STOPS
	:: d_step {
		ended && len(held[l]) == 0 && len(ready[l]) == 0 ->
		/* produced == delivered + dropped */
		assert(next_entry[l] == published[l]);
		n = 0;
		do
		:: n < BUFS -> assert(!filled[l * BUFS + n]); n++
		:: else -> break
		od
	   }
	   break
#endif
	od
}

#ifdef CLOSES
ltl closes { [] (FROZEN -> <> !FROZEN) }
#endif
#ifdef RESUMES
ltl resumes { <> [] present[0] -> [] (gone[0] -> <> !gone[0]) }
#endif

init {
	byte l, b;

	atomic {
		do
		:: b < NR_BUFS ->
			if
			:: b % BUFS < POOL(b / BUFS) -> free[b / BUFS]!b
			:: else
			fi;
			b++
		:: else -> break
		od;
		b = 0;
		run host();
#ifdef V_NO_FENCE
		run store_buffer();
#endif
		do
		:: l < LANES ->
			run lane(l);
			run consumer(l);
#ifdef V_TWO_WRITERS
			run second_writer(l);
#endif
			l++
		:: else -> break
		od;
		l = 0
	}
}
