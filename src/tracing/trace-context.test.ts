import { describe, expect, it } from '@jest/globals';
import { carriedOf, continueTrace } from './trace-context.js';
import { hopOf, presentTrace, traceFields, withTrace } from './trace-scope.js';

const traceId = '0af7651916cd43dd8448eb211c80319c';
const spanId = 'b7ad6b7169203331';
const valid = `00-${traceId}-${spanId}-01`;
const hex = (digits: number) => expect.stringMatching(new RegExp(`^[0-9a-f]{${digits}}$`));

describe('a hop of a trace', () => {
  it('belongs to the trace that its caller names, under an id of its own, and tells the next of it', () => {
    const hop = continueTrace({ traceparent: valid, tracestate: 'congo=t61rcWkgMzE,rojo=00f067aa0ba902b7' });
    expect(hop).toEqual({
      traceId,
      spanId: hex(16),
      parentSpanId: spanId,
      sampled: true,
      state: 'congo=t61rcWkgMzE,rojo=00f067aa0ba902b7',
    });
    expect(hop.spanId).not.toBe(spanId);
    expect(carriedOf(hop)).toEqual({
      traceparent: `00-${traceId}-${hop.spanId}-01`,
      tracestate: 'congo=t61rcWkgMzE,rojo=00f067aa0ba902b7',
    });
  });

  it('passes on of the flags what the specification knows', () => {
    const flagsAfter = (flags: string) =>
      carriedOf(continueTrace({ traceparent: `00-${traceId}-${spanId}-${flags}` })).traceparent.slice(-2);
    expect(['00', '01', 'fe', 'ff'].map(flagsAfter)).toEqual(['00', '01', '00', '01']);
  });

  it('reads a later version as far as it knows it, and answers in its own', () => {
    for (const later of [`01-${traceId}-${spanId}-01`, `cc-${traceId}-${spanId}-01-what-the-future-will-be-like`]) {
      const { traceparent } = carriedOf(continueTrace({ traceparent: later }));
      expect(traceparent).toMatch(new RegExp(`^00-${traceId}-[0-9a-f]{16}-01$`));
    }
  });

  it.each([
    ['nothing', undefined],
    ['an empty header', ''],
    ['two headers in one', `${valid}, ${valid}`],
    ['two headers', [valid, valid]],
    ['capitals', valid.toUpperCase()],
    ['no digits', `00-${traceId.replace('f', 'g')}-${spanId}-01`],
    ['a trace of zeros', `00-${'0'.repeat(32)}-${spanId}-01`],
    ['a caller of zeros', `00-${traceId}-${'0'.repeat(16)}-01`],
    ['the version that there is none of', `ff-${traceId}-${spanId}-01`],
    ['more than its version has', `${valid}-00`],
    ['more without a dash', `cc-${traceId}-${spanId}-01.more`],
    ['short ids', `00-${traceId.slice(1)}-${spanId}-01`],
    ['flags of one digit', `00-${traceId}-${spanId}-1`],
  ])('begins a new trace, without what was said of the other, after %s', (_, traceparent) => {
    const hop = continueTrace({ traceparent, tracestate: 'congo=t61rcWkgMzE' });
    expect(hop).toEqual({ traceId: hex(32), spanId: hex(16), sampled: false });
    expect(hop.traceId).not.toBe(traceId);
  });
});

describe('the trace of what is done', () => {
  const call = continueTrace({ traceparent: valid });

  it('is what a task that is made in it carries, and what its message tells', async () => {
    await withTrace(call, async () => {
      await Promise.resolve();
      expect(presentTrace()).toEqual(carriedOf(call));
      expect(hopOf(presentTrace())).toEqual(carriedOf(call));
      expect(hopOf(null)).toEqual(carriedOf(call));
      expect(traceFields()).toEqual({ traceId, spanId: call.spanId, parentSpanId: spanId });
    });
    expect(traceFields()).toEqual({});
  });

  it('is a new one outside of any', () => {
    expect(presentTrace().traceparent).not.toBe(presentTrace().traceparent);
  });

  it('stays that of a task whose message somebody else sends, under an id of theirs', () => {
    const carried = carriedOf(call);
    for (const sent of [hopOf(carried), withTrace(continueTrace({}), () => hopOf(carried))]) {
      expect(sent.traceparent).toMatch(new RegExp(`^00-${traceId}-`));
      expect(sent.traceparent).not.toBe(carried.traceparent);
    }
  });
});
