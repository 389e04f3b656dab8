import { describe, expect, it } from '@jest/globals';
import { SharedRequests, type TopicBatch } from './shared-requests.js';

const never = new AbortController().signal;
const width = 2;

/** Requests that end when the test says so. */
class Scripted {
  readonly requests: { readonly batches: TopicBatch[]; end: () => void; fail: (error: unknown) => void }[] = [];
  readonly shared = new SharedRequests(
    (batches) => new Promise<void>((end, fail) => this.requests.push({ batches, end, fail })),
    width,
  );

  send(key: string, topic = 'builds', expired = never): Promise<unknown> {
    return this.shared.send([{ topic, messages: [{ key, value: key }] }], expired);
  }

  /** Keys by topic of one request. */
  keys(request: number): Record<string, unknown[]> {
    const batches = this.requests[request]?.batches ?? [];
    return Object.fromEntries(batches.map(({ topic, messages }) => [topic, messages.map(({ key }) => key)]));
  }
}

/** Lets everything run that can run without waiting for anything. */
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('SharedRequests', () => {
  it('sends at once while few requests are under way, and the rest together when one has ended', async () => {
    const kafka = new Scripted();
    const ended: string[] = [];
    for (const key of ['1', '2', '3', '4', '5']) void kafka.send(key).then(() => ended.push(key));
    void kafka.send('6', 'parses').then(() => ended.push('6'));
    expect(kafka.requests).toHaveLength(2);
    kafka.requests[1]?.end();
    await settle();
    expect(ended).toEqual(['2']);
    expect(kafka.requests).toHaveLength(3);
    expect(kafka.keys(2)).toEqual({ builds: ['3', '4', '5'], parses: ['6'] });
    kafka.requests[2]?.end();
    await settle();
    expect(ended).toEqual(['2', '3', '4', '5', '6']);
  });

  it('gives each call its own answer when the broker refuses what they shared', async () => {
    const kafka = new Scripted();
    const firsts = [kafka.send('1'), kafka.send('2')];
    const outcomes = Promise.allSettled([kafka.send('3'), kafka.send('large')]);
    kafka.requests[0]?.end();
    await settle();
    kafka.requests[2]?.fail(Object.assign(new Error('too large'), { type: 'MESSAGE_TOO_LARGE' }));
    await settle();
    expect([kafka.keys(3), kafka.keys(4)]).toEqual([{ builds: ['3'] }, { builds: ['large'] }]);
    kafka.requests[3]?.end();
    kafka.requests[4]?.fail(Object.assign(new Error('too large'), { type: 'MESSAGE_TOO_LARGE' }));
    expect((await outcomes).map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
    kafka.requests[1]?.end();
    await Promise.all(firsts);
  });

  it('fails all that shared a request that broke, without sending anything twice', async () => {
    const kafka = new Scripted();
    void kafka.send('1');
    void kafka.send('2');
    const outcomes = Promise.allSettled([kafka.send('3'), kafka.send('4')]);
    kafka.requests[0]?.end();
    await settle();
    kafka.requests[2]?.fail(new Error('the connection broke'));
    expect((await outcomes).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(kafka.requests).toHaveLength(3);
  });

  it('does not send what was given up while it waited', async () => {
    const kafka = new Scripted();
    const givenUp = new AbortController();
    void kafka.send('1');
    void kafka.send('2');
    void kafka.send('3', 'builds', givenUp.signal);
    void kafka.send('4');
    givenUp.abort();
    kafka.requests[0]?.end();
    await settle();
    expect(kafka.keys(2)).toEqual({ builds: ['4'] });
  });

  it('goes on after a request that failed', async () => {
    const kafka = new Scripted();
    const failed = kafka.send('1').catch(() => 'failed');
    kafka.requests[0]?.fail(new Error('the connection broke'));
    expect(await failed).toBe('failed');
    const next = kafka.send('2');
    kafka.requests[1]?.end();
    await next;
    expect(kafka.requests).toHaveLength(2);
  });
});
