import { randomBytes } from 'node:crypto';
import type { CarriedTrace } from '../domain/carried-trace.js';
import { readTraceState } from './trace-state.js';

/** One hop of a trace: this process's part of something that began elsewhere, or here. */
export interface TraceContext {
  /** 32 hexadecimal digits, the same on every hop. */
  readonly traceId: string;
  /** This hop's own, 16 hexadecimal digits. */
  readonly spanId: string;
  /** That of the hop before; absent where the trace begins here. */
  readonly parentSpanId?: string;
  /** Whether the caller may have recorded its part; passed on as it came. */
  readonly sampled: boolean;
  /** What vendors' tools have to say to themselves; passed on as it came. */
  readonly state?: string;
}

/** What a caller sent, or a row holds; nothing of it need be valid. */
export interface TraceHeaders {
  readonly traceparent?: unknown;
  readonly tracestate?: unknown;
}

/** https://www.w3.org/TR/trace-context/#traceparent-header-field-values; a later version may say more behind the flags. */
const parentFormat = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const noVersion = 'ff';
const sampledFlag = 1;

/** The hop that follows the one that is named; the first of a new trace where none is, or not as the specification has it. */
export function continueTrace({ traceparent, tracestate }: TraceHeaders): TraceContext {
  const [, version, traceId = '', parentSpanId = '', flags = '', more] = parentFormat.exec(textOf(traceparent)) ?? [];
  const isValid = version !== undefined && version !== noVersion && !isZero(traceId) && !isZero(parentSpanId);
  if (!isValid || (version === '00' && more !== undefined)) return beginTrace();
  const state = readTraceState(textOf(tracestate));
  return {
    traceId,
    spanId: newSpanId(),
    parentSpanId,
    sampled: (Number.parseInt(flags, 16) & sampledFlag) !== 0,
    ...(state === undefined ? {} : { state }),
  };
}

/** The first hop of a new trace, of which nothing is recorded but what the logs say. */
export function beginTrace(): TraceContext {
  return { traceId: randomBytes(16).toString('hex'), spanId: newSpanId(), sampled: false };
}

/** A hop as the next one is told of it. */
export function carriedOf({ traceId, spanId, sampled, state }: TraceContext): CarriedTrace {
  const traceparent = `00-${traceId}-${spanId}-${sampled ? '01' : '00'}`;
  return { traceparent, ...(state === undefined ? {} : { tracestate: state }) };
}

function newSpanId(): string {
  return randomBytes(8).toString('hex');
}

function isZero(id: string): boolean {
  return /^0+$/.test(id);
}

function textOf(header: unknown): string {
  return typeof header === 'string' ? header : '';
}
