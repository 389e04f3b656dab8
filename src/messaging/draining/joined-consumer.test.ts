import { beforeEach, describe, expect, it } from '@jest/globals';
import { ScriptedConsumer } from '../../testing/scripted-consumer.js';
import type { IncomingMessage, Verdict } from '../message-consumer.js';
import { JoinedConsumer } from './joined-consumer.js';

const done: Verdict = { type: 'done' };
const message = (key: string): IncomingMessage => ({ topic: 'document-parse', key, value: null, headers: {} });
/** Lets everything run that can run without waiting for anything. */
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

let current: ScriptedConsumer;
let drained: ScriptedConsumer;
let joined: JoinedConsumer;
/** Keys in the order in which they were handed in, and how to let go of the one in hand. */
let handed: string[];
let letGo: () => void;

beforeEach(async () => {
  [current, drained] = [new ScriptedConsumer(), new ScriptedConsumer()];
  joined = new JoinedConsumer(current, [drained]);
  handed = [];
  await joined.start(({ key }) => {
    handed.push(key ?? '');
    return new Promise((resolve) => (letGo = () => resolve(done)));
  });
});

describe('consumers of the broker in use and of one that is drained', () => {
  it('hand in one message at a time, those that were left first', async () => {
    const first = current.deliver(message('now'));
    const others = [current.deliver(message('next')), drained.deliver(message('left'))];
    await settle();
    expect(handed).toEqual(['now']);
    letGo();
    expect(await first).toEqual(done);
    await settle();
    expect(handed).toEqual(['now', 'left']);
    letGo();
    await settle();
    letGo();
    expect(await Promise.all(others)).toEqual([done, done]);
    expect(handed).toEqual(['now', 'left', 'next']);
  });

  it('rest together, and go on together', async () => {
    joined.pause();
    expect([current.paused, drained.paused]).toEqual([true, true]);
    const waiting = drained.deliver(message('left'));
    await settle();
    expect(handed).toEqual([]);
    joined.resume();
    expect([current.paused, drained.paused]).toEqual([false, false]);
    await settle();
    letGo();
    expect(await waiting).toEqual(done);
  });

  it('are as well as the one in use is', () => {
    void drained.stop();
    expect(joined.health()).toEqual({ up: true });
    void current.stop();
    expect(joined.health()).toEqual({ up: false });
  });

  it('stop together, and put off what has had no turn', async () => {
    joined.pause();
    const waiting = drained.deliver(message('left'));
    await joined.stop();
    expect(await waiting).toMatchObject({ type: 'later' });
    expect([current.stopped, drained.stopped]).toEqual([true, true]);
    expect(handed).toEqual([]);
  });
});
