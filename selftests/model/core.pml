/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * core.pml - a core that writes records, and a lane that rotates buffers, for spin
 *
 * A record that a core writes is on its way for any length of time. The core tells
 * FIN before that (or after it, LATE_FIN), and then waits for it before it looks at
 * its register again. The lane dispatches when the last task has been acknowledged,
 * and may fail to see an ACK. The host reads a buffer as soon as it is published:
 * every record has to be there.
 *
 * The gates of the queues are dfx.pml's business: here a full or an empty queue only
 * means that the lane tries again.
 *
 * Set with -D, see configs:
 *	TASKS		dispatched at most; the session may end at any moment before
 *	CAP		records of a buffer
 *	BUFS		buffers
 *	RQ		places in the ready queue
 *	STASH		places in the stash
 *	LATE_FIN	the record is in memory before FIN, nobody tells of ACKs
 *	FLUSH		somebody asks for a flush, once
 *	DROPS		a task that finds no buffer may be dispatched without one
 * A wrong variant is set with one of the names that begin with V_.
 */

#ifndef TASKS
#define TASKS	6
#endif
#ifndef CAP
#define CAP	2
#endif
#ifndef BUFS
#define BUFS	3
#endif
#ifndef RQ
#define RQ	2
#endif
#ifndef STASH
#define STASH	2
#endif

#define NONE	255
#define QUIT	254	/* instead of a task */

/* ---- between lane and core: struct dfx_core_head, and the register -------------- */

byte given, base, buf;		/* written by the lane */
byte done;			/* written by the core */
byte task;			/* written by the lane */
byte ack, fin;			/* written by the core */

/* ---- memory ---------------------------------------------------------------------- */

byte mem[BUFS * CAP];		/* 0, or 1 + the number of the record */
byte way_slot = NONE, way_rec;	/* on its way there */

chan rq = [RQ] of { byte, byte };	/* buffer, count */
chan fq = [BUFS] of { byte };

/* ---- only for the assertions ------------------------------------------------------ */

byte delivered;
bit over;			/* the lane has answered the stop */

/* ---- core: dfx_core.h --------------------------------------------------------------- */

#define LANDED	(way_slot == NONE)

/* dfx_core_reserve() */
inline reserve()
{
	d_step {
		if
		:: given == taken -> slot = NONE
		:: else ->
			/* In the buffer that the head names. */
			assert(taken >= base && taken - base < CAP);
			slot = buf * CAP + taken - base;
			taken++
		fi
	}
}

/* The record, and dfx_core_commit(). */
inline commit()
{
	if
	:: slot != NONE ->
#ifdef V_NO_WAIT
		/* One may still be on its way when the next is written. */
		d_step { LANDED -> way_slot = slot; way_rec = taken };
#else
		d_step { way_slot = slot; way_rec = taken };
		LANDED;
#endif
		done = taken
	:: else
	fi
}

active proctype core()
{
	byte last, taken, slot = NONE;

	do
	:: task != last ->
		last = task;
		if
		:: last == QUIT -> break
		:: else
		fi;
#ifndef V_RESERVE_LATE
		reserve();
#endif
		ack = last;
#ifdef LATE_FIN
		commit();
		fin = last
#else
		fin = last;
#ifdef V_RESERVE_LATE
		reserve();
#endif
		commit()
#endif
	od
}

/* What is on its way arrives, some time. */
active proctype bus()
{
end:	do
	:: d_step { !LANDED -> mem[way_slot] = way_rec; way_slot = NONE }
	od
}

/* ---- lane: dfx_dev.c ------------------------------------------------------------------ */

#define IDLE	(done == given)

/* dfx_dev_core_release(): as much as there is room for */
inline release()
{
	do
	:: first != acked && nfull(rq) ->
		rq!stash_buf[first % STASH], stash_count[first % STASH];
		first++
	:: else -> break
	od
}

/* dfx_dev_core_stash() */
inline put_away()
{
	d_step {
#ifdef LATE_FIN
		acked = next;
#endif
		stash_buf[next % STASH] = cur;
		stash_count[next % STASH] = count;
		gated[next % STASH] = 0;
		next++;
#ifdef V_NO_GATE
		acked = next;
#endif
		cur = NONE;
		count = 0;
		cut = 0
	}
}

/* dfx_dev_core_rotate(): cur is NONE if it fails */
inline rotate()
{
	if
	:: count > 0 && next - first == STASH && IDLE -> acked = next
	:: else
	fi;
	release();
	if
#ifdef V_FORGET
	:: count > 0 && next - first == STASH -> next--; put_away()
#else
	:: count > 0 && next - first == STASH -> ok = 0
#endif
	:: count > 0 && next - first < STASH -> put_away()
	:: else
	fi;
	if
	:: ok ->
		release();
		if
		:: fq?cur -> skip
		:: empty(fq) ->
			ok = 0;
			if
			:: IDLE -> acked = next
			:: else
			fi;
			release()
		fi
	:: else
	fi
}

/* dfx_dev_core_give(), and the register */
inline dispatch()
{
	ok = 1;
	if
	:: count == CAP || cur == NONE || cut -> rotate()
	:: else -> release()
	fi;
	if
	:: ok ->
		d_step {
			if
			:: count == 0 -> base = given; buf = cur
			:: else
			fi;
			count++;
			sent++;
			if
			:: count == 1 && next != acked ->
				gate[(next + STASH - 1) % STASH] = sent;
				gated[(next + STASH - 1) % STASH] = 1
			:: else
			fi;
			given++
		}
		task = sent
	:: else ->
#ifdef DROPS
		if
		:: sent++; task = sent
		:: skip
		fi
#endif
	fi
}

/* dfx_dev_core_ack() */
inline acknowledge()
{
	d_step {
		i = acked;
		do
		:: i != next ->
			if
#ifdef V_ANY_TOKEN
			:: true -> acked = i + 1
#else
			:: gated[i % STASH] && (seen == gate[i % STASH] ||
						seen == sent) ->
				acked = i + 1
			:: else
#endif
			fi;
			i++
		:: else -> break
		od;
		i = 0
	}
	release()
}

active proctype lane()
{
	byte stash_buf[STASH], stash_count[STASH], gate[STASH];
	bit gated[STASH];
	byte first, acked, next;
	byte cur = NONE, count, sent, seen, i;
	bit ok, cut;
#ifdef FLUSH
	bit asked;
#endif

	d_step {
		do
		:: i < BUFS -> fq!i; i++
		:: else -> break
		od;
		i = 0
	}
	do
	/* The one place of the register. */
	:: sent < TASKS && seen == sent -> dispatch()
	/* Whatever is in the register: it may have been seen before. */
	:: true ->
		seen = ack;
#ifndef LATE_FIN
		if
		:: acknowledge()
		:: skip			/* the runtime has missed it */
		fi
#endif
#ifdef FLUSH
	/* dfx_dev_core_flush() of a core that is at work */
	:: !asked && count > 0 -> asked = 1; cut = 1
#endif
	:: break
	od;
	/* dfx_dev_stop(): no more slots, and the core's own word. */
#ifndef V_STOP_EARLY
	IDLE;
#endif
	acked = next;
	do
	:: first != next ->
		rq!stash_buf[first % STASH], stash_count[first % STASH];
		first++
	:: else -> break
	od;
	if
	:: count > 0 -> rq!cur, count
	:: else
	fi;
	over = 1;
	ack == sent;
	task = QUIT
}

/* ---- host ---------------------------------------------------------------------------- */

active proctype host()
{
	byte b, n, i;

	do
	:: rq?b, n ->
		d_step {
			do
			:: i < n ->
				/* There, in order, of this turn of the buffer. */
				assert(mem[b * CAP + i] == delivered + 1);
				mem[b * CAP + i] = 0;
				delivered++;
				i++
			:: else -> break
			od;
			i = 0;
			n = 0
		}
		fq!b
	:: over && empty(rq) ->
		/* Nothing is left behind, and nothing lands in a free buffer. */
		assert(delivered == given);
		LANDED;
		d_step {
			i = 0;
			do
			:: i < BUFS * CAP -> assert(mem[i] == 0); i++
			:: else -> break
			od
		}
		break
	od
}
