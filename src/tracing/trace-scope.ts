import { AsyncLocalStorage } from 'node:async_hooks';
import type { CarriedTrace } from '../domain/carried-trace.js';
import { beginTrace, carriedOf, continueTrace, type TraceContext } from './trace-context.js';

const scope = new AsyncLocalStorage<TraceContext>();

/** Does something, and whatever it awaits, as a hop of a trace. */
export function withTrace<T>(trace: TraceContext, work: () => T): T {
  return scope.run(trace, work);
}

/** What a task that is made now has to carry: the hop that makes it. */
export function presentTrace(): CarriedTrace {
  return carriedOf(scope.getStore() ?? beginTrace());
}

/** What is sent along about something that carries a trace: the hop that sends it, which is this one if it is of that trace. */
export function hopOf(carried: CarriedTrace | null): CarriedTrace {
  const present = scope.getStore();
  if (!carried) return presentTrace();
  const hop = continueTrace(carried);
  return carriedOf(present?.traceId === hop.traceId ? present : hop);
}

/** What a line of the log says of the hop that writes it. */
export function traceFields(trace = scope.getStore()): Readonly<Record<string, string>> {
  if (!trace) return {};
  const { traceId, spanId, parentSpanId } = trace;
  return { traceId, spanId, ...(parentSpanId === undefined ? {} : { parentSpanId }) };
}
