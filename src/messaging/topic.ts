import { TaskType } from '../domain/task/task-type.js';
import type { Id } from '../domain/ids/id.js';

/** What messages are about. A broker's own name for it carries the environment's prefix in front. */
export const Topic = {
  ParseDocument: 'document-parse',
  BuildIndex: 'document-index-build',
  /** The bulk lane: builds of a batch, taken while no other message of the group waits. */
  RebuildIndex: 'document-index-rebuild',
  DeleteIndex: 'document-index-delete',
} as const;
export type Topic = (typeof Topic)[keyof typeof Topic];

export const topics: readonly Topic[] = Object.values(Topic);

/** Topics whose messages give way to those of the other topics of their group. */
export const bulkTopics: ReadonlySet<Topic> = new Set([Topic.RebuildIndex]);

/** True for the name of a topic, without prefix. */
export function isTopic(name: string): name is Topic {
  return (topics as readonly string[]).includes(name);
}

/** Where messages go that cannot be read, and those that tell of tasks out of tries, with the reason in their headers. */
export const deadLetterTopic = 'dead-letter';

/** Whatever may be sent to. */
export type Destination = Topic | typeof deadLetterTopic;

/** True for the name of a topic or of the place of dead letters, without prefix. */
export function isDestination(name: string): name is Destination {
  return isTopic(name) || name === deadLetterTopic;
}

export const topicOf: Readonly<Record<TaskType, Topic>> = {
  [TaskType.ParseDocument]: Topic.ParseDocument,
  [TaskType.BuildIndex]: Topic.BuildIndex,
  [TaskType.RebuildIndex]: Topic.RebuildIndex,
  [TaskType.DeleteIndex]: Topic.DeleteIndex,
};

/** Consumers that share the messages of their topics between them. */
export const ConsumerGroup = { Parse: 'parse', Index: 'index' } as const;
export type ConsumerGroup = (typeof ConsumerGroup)[keyof typeof ConsumerGroup];

/** The topics of each group, most urgent first. */
export const topicsOfGroup: Readonly<Record<ConsumerGroup, readonly Topic[]>> = {
  [ConsumerGroup.Parse]: [Topic.ParseDocument],
  [ConsumerGroup.Index]: [Topic.BuildIndex, Topic.DeleteIndex, Topic.RebuildIndex],
};

/** The types of the tasks that a group works on. */
export function typesOfGroup(group: ConsumerGroup): TaskType[] {
  return Object.values(TaskType).filter((type) => topicsOfGroup[group].includes(topicOf[type]));
}

/** Those of them that go before the tasks of batches. */
export function urgentTypesOf(group: ConsumerGroup): TaskType[] {
  return typesOfGroup(group).filter((type) => !bulkTopics.has(topicOf[type]));
}

/** The group whose consumers work on tasks of a type. */
export function groupOf(type: TaskType): ConsumerGroup {
  return typesOfGroup(ConsumerGroup.Parse).includes(type) ? ConsumerGroup.Parse : ConsumerGroup.Index;
}

/** The name a broker knows a topic or group by. */
export function brokerName(prefix: string, name: Destination | ConsumerGroup): string {
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
