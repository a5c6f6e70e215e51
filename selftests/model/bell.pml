/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * bell.pml - a host that sleeps until it is rung, for spin
 *
 * Lanes publish entries and raise a mark; the host arms the doorbell, looks once
 * more, and sleeps. Every store goes through a buffer of its processor, from which
 * it reaches memory at any later moment: that is what the barriers are for, and what
 * sequential consistency would hide. A buffer is in order and a processor sees its own
 * stores, as on x86; a weaker machine's release stores allow no more here, since each
 * side loads only words that the other one writes.
 *
 * The clock is left out: a host that sleeps wakes up by a ring and by nothing else, so
 * that a lost wake-up is an end state with work left, which is an error.
 *
 * Set with -D, see configs:
 *	LANES		1 or 2
 *	ENTRIES		that each lane publishes
 *	MARKS		and then raises a mark, which the host answers
 *	STORM		somebody rings for nothing, twice at most
 * A wrong variant is set with one of the names that begin with V_.
 */

#ifndef LANES
#define LANES	1
#endif
#ifndef ENTRIES
#define ENTRIES	2
#endif

#define NEVER	255	/* an event that no entry has */

/* ---- memory -------------------------------------------------------------------- */

byte tail[LANES];		/* dfx_shm_lane.rq_tail */
bit mark[LANES];		/* dfx_shm_contended, one for each lane here */
byte event[LANES] = NEVER;	/* dfx_shm_rq_head.event */
bit armed[LANES];		/* dfx_shm_rq_head.armed */

/*
 * A store on its way: which word, whose, what. One queue for each processor, the
 * host's last. A processor waits for room.
 */
mtype = { TAIL, MARK, EVENT, ARMED };
#define DEPTH	4
#define HOST	LANES
chan buffer[LANES + 1] = [DEPTH] of { mtype, byte, byte };

#define BARRIER(p)	empty(buffer[p])

/* ---- interrupts ------------------------------------------------------------------- */

bit pending;			/* region->kicked, region->rung */

inline ring()
{
	pending = 1
}

/* Stores reach memory. */
proctype memory(byte p)
{
	mtype word;
	byte l, v;

end:	do
	:: d_step {
		nempty(buffer[p]) ->
		buffer[p]?word, l, v;
		if
		:: word == TAIL -> tail[l] = v
		:: word == MARK -> mark[l] = v
		:: word == EVENT -> event[l] = v
		:: word == ARMED -> armed[l] = v
		fi;
		word = 0;
		l = 0;
		v = 0
	   }
	od
}

/* ---- lane: lib/device/dfx_dev.c ------------------------------------------------------ */

/* dfx_dev_publish(), dfx_dev_ring_entry() */
inline publish()
{
#ifdef V_EVENT_FIRST
	want = event[l];
	buffer[l]!TAIL, l, n + 1;
	BARRIER(l);
#else
	buffer[l]!TAIL, l, n + 1;		/* (A) */
#ifndef V_NO_LANE_BARRIER
	BARRIER(l);				/* (I) */
#endif
	want = event[l];
#endif
	if
	:: want == n -> ring()
	:: else
	fi;
	want = 0;
	n++
}

proctype lane(byte l)
{
	byte n, want;

	do
	:: n < ENTRIES -> publish()
	:: else -> break
	od
#ifdef MARKS
	/* dfx_dev_mark(), dfx_dev_ring_armed() */
	buffer[l]!MARK, l, 1;			/* (D) */
#ifndef V_NO_LANE_BARRIER
	BARRIER(l);				/* (I) */
#endif
	if
	:: armed[l] -> ring()
	:: !armed[l]
	fi
#endif
}

#ifdef STORM
proctype storm()
{
	ring();
	ring()
}
#endif

/* ---- host: driver/thread.c, pace.c, event.c --------------------------------------------- */

byte head[LANES];
bit answered[LANES];

#if LANES == 1
#define DONE	(head[0] == ENTRIES && ANSWERED(0))
#else
#define DONE	(head[0] == ENTRIES && head[1] == ENTRIES && \
		 ANSWERED(0) && ANSWERED(1))
#endif
#ifdef MARKS
#define ANSWERED(l)	answered[l]
#else
#define ANSWERED(l)	true
#endif

/* dfx_pass(): sets found */
inline pass()
{
	found = 0;
	l = 0;
	do
	:: l < LANES ->
		d_step {
			if
			:: tail[l] != head[l] -> found = 1
			:: else
			fi;
			head[l] = tail[l]
		}
#ifdef MARKS
		d_step {
			if
			:: mark[l] && !answered[l] ->
				answered[l] = 1;
				found = 1
			:: else
			fi
		}
#endif
		l++
	:: else -> break
	od;
	l = 0
}

/* dfx_event_arm() */
inline arm()
{
	l = 0;
	do
	:: l < LANES ->
#ifdef V_STALE_EVENT
		/* Armed once and for all. */
		buffer[HOST]!EVENT, l, 0;
#else
		buffer[HOST]!EVENT, l, head[l];
#endif
		buffer[HOST]!ARMED, l, 1;
		l++
	:: else -> break
	od;
	l = 0;
#ifndef V_NO_HOST_BARRIER
	BARRIER(HOST);				/* (J) */
#endif
	is_armed = 1
}

/* dfx_event_disarm() */
inline disarm()
{
	l = 0;
	do
	:: l < LANES ->
		buffer[HOST]!EVENT, l, NEVER;
		buffer[HOST]!ARMED, l, 0;
		l++
	:: else -> break
	od;
	l = 0;
	is_armed = 0
}

proctype host()
{
	byte l;
	bit found, is_armed;

	do
	:: pass();
	   if
	   :: DONE -> break
	   :: !DONE && found ->
		if
		:: is_armed -> disarm()
		:: !is_armed
		fi
	   :: !DONE && !found && !is_armed ->
		/* Polls on, for as long as it likes, or arms and looks. */
		if
		:: true
		:: true -> arm();
#ifdef V_NO_LOOK
			pending -> pending = 0;
			disarm()
#endif
		fi
	   :: !DONE && !found && is_armed ->
		/* This pass came after the arming. */
		pending -> pending = 0;
		/* It may have been rung for nothing. */
		disarm()
	   fi
	od
}

init {
	byte l;

	atomic {
		do
		:: l <= LANES -> run memory(l); l++
		:: else -> break
		od;
		l = 0;
		do
		:: l < LANES -> run lane(l); l++
		:: else -> break
		od;
		l = 0;
#ifdef STORM
		run storm();
#endif
		run host()
	}
}
