import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { listeningLogger } from '../testing/listening-logger.js';
import type { BaseFeed, EventOutlet, TaskFeed } from './event-feed.js';
import { EventPump } from './event-pump.js';
import { InProcessSignal } from './in-process-signal.js';

class Outlet implements EventOutlet {
  ready = true;
  ended = false;
  more: () => void = () => undefined;
  gone: () => void = () => undefined;

  connect(more: () => void, gone: () => void): void {
    this.more = more;
    this.gone = gone;
  }

  line = () => undefined;
  progress = () => undefined;

  end(): void {
    this.ended = true;
  }
}

let signal: InProcessSignal;
let looks: string[][];
let failure: Error | undefined;
let lines: Parameters<typeof listeningLogger>[0];
let pump: EventPump;

beforeEach(() => {
  jest.useFakeTimers();
  signal = new InProcessSignal(true);
  looks = [];
  failure = undefined;
  lines = [];
  const deliver = (readers: readonly (TaskFeed | BaseFeed)[]) => {
    if (readers.length > 0) looks.push(readers.map((feed) => ('taskId' in feed ? feed.taskId : 'base')));
    return failure ? Promise.reject(failure) : Promise.resolve();
  };
  pump = new EventPump({ tasks: { deliver }, bases: { deliver }, signal, logger: listeningLogger(lines) }, 3);
});
afterEach(() => {
  jest.useRealTimers();
});

function open(taskId?: string): Outlet {
  const outlet = new Outlet();
  const place = taskId
    ? { taskId, after: '0', withProgress: false }
    : { knowledgeBaseId: '9', position: { writtenIn: '1', id: '0' } };
  pump.open({ ...place, outlet, due: true });
  return outlet;
}

const changed = (taskId: string) => signal.announce({ tenantId: '0', taskId });
const pass = (ms: number) => jest.advanceTimersByTimeAsync(ms);

describe('the pump of event streams', () => {
  it('looks at once for a new stream, and not at all while there is none', async () => {
    const outlet = open('1');
    await pass(1);
    expect(looks).toEqual([['1']]);
    outlet.gone();
    changed('1');
    await pass(10_000);
    expect([looks.length, jest.getTimerCount()]).toEqual([1, 0]);
  });

  it('looks for those whose task changed, and for every base', async () => {
    for (const taskId of ['1', '2', undefined]) open(taskId);
    await pass(1);
    looks.length = 0;
    changed('2');
    await pass(50);
    expect(looks).toEqual([['2'], ['base']]);
  });

  it('reads changes that come close together at once, and is not put off by a steady stream of them', async () => {
    open('1');
    await pass(1);
    looks.length = 0;
    for (let ms = 0; ms < 500; ms += 10) {
      changed('1');
      await pass(10);
    }
    expect(looks.length).toBeGreaterThanOrEqual(9);
    expect(looks.length).toBeLessThanOrEqual(11);
  });

  it('looks for everybody every second, announced or not', async () => {
    open('1');
    await pass(1);
    await pass(3_000);
    expect(looks.length).toBe(4);
  });

  it('gives nothing to a slow reader, and goes on with it when it asks for more', async () => {
    const outlet = open('1');
    await pass(1);
    outlet.ready = false;
    changed('1');
    await pass(5_000);
    expect(looks.length).toBe(1);
    outlet.ready = true;
    outlet.more();
    await pass(50);
    expect(looks.length).toBe(2);
  });

  it('keeps its streams while it cannot read, says so once, and asks no more often than every second', async () => {
    failure = new Error('the database does not answer');
    open('1');
    await pass(5_001);
    expect([looks.length, lines.length]).toEqual([6, 1]);
    failure = undefined;
    await pass(1_000);
    expect(looks.length).toBe(7);
  });

  it('refuses more streams than it may have, and ends all when it stops', async () => {
    const outlets = ['1', '2', '3'].map((taskId) => open(taskId));
    expect(() => open('4')).toThrow(expect.objectContaining({ code: 'TOO_BUSY' }));
    outlets[0]?.gone();
    outlets.push(open('4'));
    await pump.stop();
    expect(outlets.slice(1).map(({ ended }) => ended)).toEqual([true, true, true]);
    expect(() => pump.requireRoom()).toThrow('stopping');
    expect(jest.getTimerCount()).toBe(0);
  });
});
