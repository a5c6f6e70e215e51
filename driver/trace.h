/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * trace.h - tracepoints: changes of state and hand-offs, never single records
 */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM dfx

#if !defined(DFX_TRACE_H) || defined(TRACE_HEADER_MULTI_READ)
#define DFX_TRACE_H

#include <linux/tracepoint.h>

TRACE_EVENT(dfx_freeze,
	TP_PROTO(int minor, u32 gate, bool active),
	TP_ARGS(minor, gate, active),
	TP_STRUCT__entry(
		__field(int, minor)
		__field(u32, gate)
		__field(bool, active)
	),
	TP_fast_assign(
		__entry->minor = minor;
		__entry->gate = gate;
		__entry->active = active;
	),
	TP_printk("dfx%d gate=%s %s", __entry->minor,
		  __print_symbolic(__entry->gate, { 0, "rq" }, { 1, "fq" }),
		  __entry->active ? "open" : "close")
);

TRACE_EVENT(dfx_fault,
	TP_PROTO(int minor, u32 lane, u32 fault, u64 val),
	TP_ARGS(minor, lane, fault, val),
	TP_STRUCT__entry(
		__field(int, minor)
		__field(u32, lane)
		__field(u32, fault)
		__field(u64, val)
	),
	TP_fast_assign(
		__entry->minor = minor;
		__entry->lane = lane;
		__entry->fault = fault;
		__entry->val = val;
	),
	TP_printk("dfx%d lane=%u fault=%u val=%#llx", __entry->minor,
		  __entry->lane, __entry->fault, __entry->val)
);

TRACE_EVENT(dfx_handoff,
	TP_PROTO(int minor, u32 id, u8 from, u8 to),
	TP_ARGS(minor, id, from, to),
	TP_STRUCT__entry(
		__field(int, minor)
		__field(u32, id)
		__field(u8, from)
		__field(u8, to)
	),
	TP_fast_assign(
		__entry->minor = minor;
		__entry->id = id;
		__entry->from = from;
		__entry->to = to;
	),
	TP_printk("dfx%d buffer=%u %s -> %s", __entry->minor, __entry->id,
		  __print_symbolic(__entry->from, { 0, "free" },
				   { 1, "queued" }, { 2, "device" },
				   { 3, "ready" }, { 4, "held" },
				   { 5, "quarantine" }),
		  __print_symbolic(__entry->to, { 0, "free" },
				   { 1, "queued" }, { 2, "device" },
				   { 3, "ready" }, { 4, "held" },
				   { 5, "quarantine" }))
);

TRACE_EVENT(dfx_session,
	TP_PROTO(int minor, u64 session, u32 state),
	TP_ARGS(minor, session, state),
	TP_STRUCT__entry(
		__field(int, minor)
		__field(u64, session)
		__field(u32, state)
	),
	TP_fast_assign(
		__entry->minor = minor;
		__entry->session = session;
		__entry->state = state;
	),
	TP_printk("dfx%d session=%#llx %s", __entry->minor, __entry->session,
		  __print_symbolic(__entry->state, { 0, "idle" },
				   { 1, "running" }, { 2, "stopping" },
				   { 3, "draining" }))
);

#endif /* DFX_TRACE_H */

#undef TRACE_INCLUDE_PATH
#define TRACE_INCLUDE_PATH .
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_FILE trace
#include <trace/define_trace.h>
