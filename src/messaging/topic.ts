import { TaskType } from '../domain/task/task-type.js';
import type { Id } from '../domain/ids/id.js';

/** What messages are about. A broker's own name for it carries the environment's prefix in front. */
export const Topic = {
  ParseDocument: 'document-parse',
  BuildIndex: 'document-index-build',
  DeleteIndex: 'document-index-delete',
} as const;
export type Topic = (typeof Topic)[keyof typeof Topic];

export const topics: readonly Topic[] = Object.values(Topic);

/** Where messages go that cannot be read, with the reason in their headers. */
export const deadLetterTopic = 'dead-letter';

export const topicOf: Readonly<Record<TaskType, Topic>> = {
  [TaskType.ParseDocument]: Topic.ParseDocument,
  [TaskType.BuildIndex]: Topic.BuildIndex,
  [TaskType.RebuildIndex]: Topic.BuildIndex,
  [TaskType.DeleteIndex]: Topic.DeleteIndex,
};

/** Consumers that share the messages of their topics between them. */
export const ConsumerGroup = { Parse: 'parse', Index: 'index' } as const;
export type ConsumerGroup = (typeof ConsumerGroup)[keyof typeof ConsumerGroup];

export const topicsOfGroup: Readonly<Record<ConsumerGroup, readonly Topic[]>> = {
  [ConsumerGroup.Parse]: [Topic.ParseDocument],
  [ConsumerGroup.Index]: [Topic.BuildIndex, Topic.DeleteIndex],
};

/** The name a broker knows a topic or group by. */
export function brokerName(prefix: string, name: Topic | ConsumerGroup | typeof deadLetterTopic): string {
  return `${prefix}-${name}`;
}

/** The value of every message: which task to look at. The row says everything else. */
export interface TaskMessage {
  readonly documentId: Id;
  readonly taskId: Id;
  /** Absent for tasks that follow no plan. */
  readonly planId?: Id;
}

export const messageSchemaVersion = 1;
