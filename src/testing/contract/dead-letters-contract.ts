import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { repositoriesOn } from '../../composition/repositories.js';
import { maxHeaderBytes, maxKeyBytes, maxValueBytes } from '../../messaging/message-size.js';
import { MessageRefused } from '../../messaging/message-publisher.js';
import { DeadLetters, Topic } from '../../messaging/topic.js';
import { plantDocument, plantTask, testIds } from '../factories.js';
import type { TestDatabase } from '../test-database.js';
import { DeadLetterBench } from './dead-letter-bench.js';
import { buildMessage, deadlineMs } from './messaging-bench.js';
import type { MessagingBroker, StoredMessage } from './messaging-broker.js';

/** Not UTF-8, with NUL, half a character, and some text. */
const binary = Buffer.concat([Buffer.from([0xff, 0xfe, 0, 0xe9, 0x87]), Buffer.from('{"taskId": "量"')]);
const longHeaders = Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`x-long-${n}`, 'é'.repeat(400)]));

/** What becomes of dead letters, from the broker to the API and back, on the real broker. */
export function describeDeadLetters(name: string, openBroker: (test: TestDatabase) => Promise<MessagingBroker>): void {
  let bench: DeadLetterBench;

  beforeEach(async () => {
    bench = await DeadLetterBench.open(openBroker);
  });
  afterEach(() => bench.close());

  describe(`a message over ${name} that cannot be read`, () => {
    it('is listed with its reason and its bytes, lies on the broker as it came, and what follows it goes on', async () => {
      await bench.sendForeign({ value: binary, headers: { 'x-from': '量' } });
      await bench.movedOn();
      const reason = 'the value is not a JSON object';
      expect(await bench.onlyLetter()).toMatchObject({
        kind: 'MESSAGE',
        reason,
        message: { key: '1', valueBase64: binary.toString('base64'), valueBytes: binary.length },
      });
      const [stored, ...more] = await bench.broker.deadLetters(DeadLetters.Index);
      expect(more).toEqual([]);
      expect(stored).toMatchObject({ key: '1', headers: { 'x-from': '量', 'x-dead-reason': reason } });
      expect(stored?.value).toEqual(binary);
    });

    const tooLarge: [string, Partial<StoredMessage>, string][] = [
      ['value', { value: Buffer.alloc(maxValueBytes + 1, '[') }, `the value is longer than ${maxValueBytes} bytes`],
      ['header', { headers: longHeaders }, `the headers are longer than ${maxHeaderBytes} bytes`],
      ['key', { key: 'k'.repeat(maxKeyBytes + 1) }, `the key is longer than ${maxKeyBytes} bytes`],
    ];

    it.each(tooLarge)('for the length of its %s is put aside whole, and not sent again', async (_, change, reason) => {
      await bench.sendForeign(change);
      while ((await bench.letters('OPEN')).length === 0) await new Promise((resolve) => setImmediate(resolve));
      await bench.movedOn();
      expect(await bench.onlyLetter()).toMatchObject({ reason });
      const [stored] = await bench.broker.deadLetters(DeadLetters.Index);
      const { key = '1', value = Buffer.from('?'), headers = {} } = change;
      expect(stored).toMatchObject({ key, headers });
      expect(stored?.value).toEqual(value);
      const ours = { topic: Topic.BuildIndex, key: key ?? '1', bytes: value ?? Buffer.alloc(0), headers };
      await expect(bench.broker.publisher.publish([ours], { deadlineMs })).rejects.toThrow(MessageRefused);
      expect(await bench.settle(await bench.onlyLetter(), 'replay')).toMatchObject({
        status: 409,
        body: { code: 'DEAD_LETTER_NOT_REPLAYABLE' },
      });
    });

    it('goes to its topic again once, byte for byte, however often that is asked for', async () => {
      await bench.sendForeign({ value: binary, headers: { 'x-from': '量' } });
      await bench.movedOn();
      const letter = await bench.onlyLetter();
      const answers = await Promise.all([bench.settle(letter, 'replay'), bench.settle(letter, 'replay')]);
      answers.push(await bench.settle(letter, 'replay'));
      expect(answers.map(({ status, body }) => [status, body.state])).toEqual(answers.map(() => [202, 'REPLAYED']));
      await bench.inbox.until(({ messages }) => messages.length === 3);
      await bench.movedOn();
      const copies = bench.inbox.messages.filter(({ value }) => value?.equals(binary));
      expect(copies).toMatchObject([
        { topic: Topic.BuildIndex, key: '1', headers: { 'x-from': '量' } },
        { topic: Topic.BuildIndex, key: '1', headers: { 'x-from': '量' } },
      ]);
      // Nobody can read it now either.
      expect((await bench.letters()).map(({ state }) => state)).toEqual(['OPEN', 'REPLAYED']);
    });

    it('is left alone when it is discarded', async () => {
      await bench.sendForeign({ value: binary });
      await bench.movedOn();
      const letter = await bench.onlyLetter();
      expect(await bench.settle(letter, 'discard')).toMatchObject({ status: 200, body: { state: 'DISCARDED' } });
      expect(await bench.settle(letter, 'replay')).toMatchObject({ status: 409 });
      await bench.movedOn();
      expect(bench.inbox.messages.filter(({ value }) => value?.equals(binary))).toHaveLength(1);
      expect(await bench.letters('OPEN')).toEqual([]);
    });

    it('stays in its place while the broker cannot store it among the dead letters, with one letter for all of its deliveries', async () => {
      const mend = await bench.broker.breakDeadLetters();
      await bench.sendForeign({ value: binary });
      await bench.inbox.until(({ messages }) => messages.length === 3);
      const next = await bench.sendTask();
      expect(bench.worked).toEqual([]);
      await mend();
      await bench.inbox.until((inbox) => inbox.tasksOf('1').includes(next));
      await bench.movedOn();
      expect(bench.worked).toContain(next);
      expect(await bench.onlyLetter()).toMatchObject({ message: { valueBase64: binary.toString('base64') } });
      expect((await bench.broker.deadLetters(DeadLetters.Index)).map(({ value }) => value)).toEqual([binary]);
    });
  });

  describe(`a task out of tries over ${name}`, () => {
    it('is worked on again once, however often its letter is replayed', async () => {
      const { database } = bench.api.test;
      const planted = await plantDocument(database);
      const taskId = await plantTask(database, planted);
      await database.transaction(async (tx) => {
        await tx.query('update task set task_status = 4, finished_at = now() where id = $1', [taskId]);
        const failure = { code: 'EMBEDDING_FAILED', message: 'It did not answer.' } as const;
        await repositoriesOn(database, testIds).letters.addTask(tx, taskId, failure);
      });
      const letter = await bench.onlyLetter();
      const answers = await Promise.all([bench.settle(letter, 'replay'), bench.settle(letter, 'replay')]);
      expect(answers.map(({ status }) => status)).toEqual([202, 202]);
      await bench.inbox.until((inbox) => inbox.tasksOf(planted.documentId).includes(taskId));
      await bench.movedOn(planted.documentId);
      expect(bench.worked.filter((id) => id === taskId)).toEqual([taskId]);
      expect(bench.inbox.tasksOf(planted.documentId).filter((id) => id === taskId)).toHaveLength(1);
      expect(await database.query('select attempt from task where id = $1', [taskId])).toEqual([{ attempt: 1 }]);
    });
  });

  it('sends what is within the bounds', async () => {
    const headers = { ...buildMessage('1').headers, 'x-more': 'é'.repeat(3_000) };
    await bench.broker.publisher.publish([{ ...buildMessage('1'), headers }], { deadlineMs });
    await bench.inbox.until(({ messages }) => messages.length === 1);
    expect(bench.inbox.messages[0]?.headers).toEqual(headers);
  });
}
