import { codeOf } from '../domain/coded-value.js';
import { taskTypeTable } from '../domain/task/task-type.js';
import type { MessageHeaders } from './message-publisher.js';
import { deadLettersOf, destinations, groupOf, type Destination } from './topic.js';

/** Where all dead letters went before each kind of work had a place of its own. Rows of the outbox may still name it. */
const formerDeadLetters = 'dead-letter';

/** Where a stored message is to go; undefined for what is no name of ours. */
export function destinationOf(topic: string, headers: MessageHeaders): Destination | undefined {
  if (topic !== formerDeadLetters) return destinations.find((each) => each === topic);
  const type = codeOf(taskTypeTable, headers['x-task-type'] ?? '');
  return type && deadLettersOf(groupOf(type));
}
