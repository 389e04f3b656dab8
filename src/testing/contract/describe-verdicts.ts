import { describe, expect, it } from '@jest/globals';
import { TaskPriority } from '../../domain/task/task-priority.js';
import { TaskType } from '../../domain/task/task-type.js';
import { deadTaskMessage } from '../../messaging/dead-letter.js';
import { decodeTaskMessage } from '../../messaging/message-codec.js';
import { ConsumerGroup, deadLetters, deadLettersOf, Topic } from '../../messaging/topic.js';
import { Inbox, done } from './inbox.js';
import { buildMessage, type MessagingBench } from './messaging-bench.js';

const later = { type: 'later', reason: 'not yet' } as const;

/** What becomes of a message by its verdict. */
export function describeVerdicts(bench: MessagingBench): void {
  describe('a verdict', () => {
    it('of later brings the message again, before anything else of its key', async () => {
      const messages = [buildMessage('1'), buildMessage('1'), buildMessage('1')];
      const [first, second, third] = messages.map(({ value }) => value.taskId);
      const inbox = new Inbox((message, times) => (times < 3 && message.value?.includes(`"${first}"`) ? later : done));
      await bench.publish(...messages);
      await bench.consume(inbox.handler);
      await inbox.until((got) => got.messages.length === 5);
      expect(inbox.tasksOf('1')).toEqual([first, first, first, second, third]);
    });

    it('of later does not hold up the other keys', async () => {
      const inbox = new Inbox((message) => (message.key === '1' ? later : done));
      await bench.publish(buildMessage('1'), ...Array.from({ length: 12 }, (_, n) => buildMessage(String(n + 2))));
      await bench.consume(inbox.handler);
      await inbox.until(({ keys }) => keys.some((key) => key !== '1') && keys.filter((key) => key === '1').length > 2);
    });

    it.each([
      ['TypeError', new TypeError('t')],
      ['SyntaxError', new SyntaxError('s')],
      ['plain Error', new Error('e')],
    ])('that is a %s instead counts as later, and the consumer lives on', async (_, error) => {
      const inbox = new Inbox((__, times) => (times === 1 ? Promise.reject(error) : done));
      const consumer = await bench.consume(inbox.handler);
      const message = buildMessage('1');
      await bench.publish(message, buildMessage('1'));
      await inbox.until(({ messages }) => messages.length === 4);
      expect(inbox.tasksOf('1').slice(0, 2)).toEqual([message.value.taskId, message.value.taskId]);
      expect(consumer.health().up).toBe(true);
    });

    it('of dead moves the message aside as it was, with the reason', async () => {
      const inbox = new Inbox((message) => {
        const decoded = decodeTaskMessage(message);
        return decoded.ok ? done : { type: 'dead', reason: decoded.reason };
      });
      await bench.broker.sendForeign(Topic.BuildIndex, {
        key: '1',
        value: Buffer.from('{"documentId": 1, '),
        headers: { 'x-from': 'elsewhere' },
      });
      await bench.publish(buildMessage('1'));
      await bench.consume(inbox.handler);
      await inbox.until(({ messages }) => messages.length === 2);
      const letters = await bench.broker.deadLetters();
      expect(letters).toHaveLength(1);
      expect(letters[0]?.key).toBe('1');
      expect(letters[0]?.value?.toString()).toBe('{"documentId": 1, ');
      expect(letters[0]?.headers).toMatchObject({
        'x-from': 'elsewhere',
        'x-dead-reason': 'the value is not a JSON object',
        'x-dead-topic': expect.stringContaining(Topic.BuildIndex),
        'x-dead-offset': expect.any(String),
      });
    });

    it.each([
      [ConsumerGroup.Parse, TaskType.ParseDocument],
      [ConsumerGroup.Index, TaskType.RebuildIndex],
      [ConsumerGroup.Delete, TaskType.DeleteIndex],
    ])('of dead moves a bulk message to the dead letters of its kind (%s)', async (group, taskType) => {
      const inbox = new Inbox(() => ({ type: 'dead', reason: 'no' }));
      const consumer = await bench.consume(inbox.handler, group);
      await bench.publish(buildMessage('1', taskType, TaskPriority.Bulk), buildMessage('1', taskType));
      await inbox.until(({ messages }) => messages.length === 2);
      await consumer.stop();
      for (const kind of deadLetters) {
        expect(await bench.broker.deadLetters(kind)).toHaveLength(kind === deadLettersOf(group) ? 2 : 0);
      }
    });

    it('that a task is out of tries lies beside what was moved aside', async () => {
      const dead = {
        letterId: '9',
        id: '5',
        tenantId: '0',
        documentId: '1',
        planId: '7',
        taskType: TaskType.BuildIndex,
        priority: TaskPriority.Interactive,
        trace: null,
      };
      const end = { retryCount: 3, attempt: 4, code: 'EMBEDDING_FAILED', reason: 'It did not work: 原因.' } as const;
      await bench.publish(deadTaskMessage({ ...dead, ...end }));
      const [letter] = await bench.broker.deadLetters();
      expect(letter).toMatchObject({
        key: '1',
        headers: {
          'x-task-id': '5',
          'x-dead-code': 'EMBEDDING_FAILED',
          'x-dead-attempt': '4',
          'x-dead-reason': end.reason,
        },
      });
      expect(JSON.parse(String(letter?.value))).toEqual({ documentId: '1', taskId: '5', planId: '7' });
    });

    it('of dead gets past every kind of poison', async () => {
      const poison = ['', '[]', '['.repeat(4_000), '{"documentId":1,"taskId":2}', 'x'.repeat(1_000_000)];
      const inbox = new Inbox((message) =>
        decodeTaskMessage(message).ok ? done : { type: 'dead', reason: 'cannot be read' },
      );
      await bench.broker.sendForeign(Topic.BuildIndex, { key: '1', value: null, headers: {} });
      for (const text of poison) await bench.publishText('1', text);
      await bench.publish(buildMessage('1'));
      const consumer = await bench.consume(inbox.handler);
      await inbox.until(({ messages }) => messages.length === poison.length + 2);
      expect(await bench.broker.deadLetters()).toHaveLength(poison.length + 1);
      expect(consumer.health().up).toBe(true);
    });

    it('of dead leaves the message in place while it cannot be moved', async () => {
      const inbox = new Inbox((message) =>
        decodeTaskMessage(message).ok ? done : { type: 'dead', reason: 'cannot be read' },
      );
      await bench.consume(inbox.handler);
      const mend = await bench.broker.breakDeadLetters();
      await bench.publishText('1', 'poison');
      await bench.publish(buildMessage('1'));
      await inbox.until(({ messages }) => messages.length === 2);
      expect(inbox.tasksOf('1')).toEqual(['poison', 'poison']);
      await mend();
      await inbox.until(({ messages }) => messages.some((message) => decodeTaskMessage(message).ok));
      expect(await bench.broker.deadLetters()).toHaveLength(1);
    });
  });
}
