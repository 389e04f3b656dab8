import type { Id } from '../domain/ids/id.js';
import { priorityByType, TaskPriority } from '../domain/task/task-priority.js';
import { TaskType } from '../domain/task/task-type.js';

/** What messages are about. A broker's own name for it carries the environment's prefix in front. */
export const Topic = {
  ParseDocument: 'document-parse',
  ParseInBulk: 'document-parse-bulk',
  BuildIndex: 'document-index-build',
  /** Builds of batches. */
  RebuildIndex: 'document-index-rebuild',
  DeleteIndex: 'document-index-delete',
  DeleteInBulk: 'document-index-delete-bulk',
} as const;
export type Topic = (typeof Topic)[keyof typeof Topic];

/** Where messages go that cannot be read, and those that tell of tasks out of tries, with the reason in their headers. */
export const DeadLetters = {
  Parse: 'document-parse-dead-letter',
  Index: 'document-index-build-dead-letter',
  Delete: 'document-index-delete-dead-letter',
} as const;
export type DeadLetters = (typeof DeadLetters)[keyof typeof DeadLetters];

/** Whatever may be sent to. */
export type Destination = Topic | DeadLetters;

/** Consumers that share the messages of one kind of work between them. */
export const ConsumerGroup = { Parse: 'parse', Index: 'index', Delete: 'delete' } as const;
export type ConsumerGroup = (typeof ConsumerGroup)[keyof typeof ConsumerGroup];

interface GroupTopics {
  readonly interactive: Topic;
  /** Its messages give way to the interactive ones. */
  readonly bulk: Topic;
  readonly deadLetters: DeadLetters;
}

const topicsOfGroup: Readonly<Record<ConsumerGroup, GroupTopics>> = {
  [ConsumerGroup.Parse]: {
    interactive: Topic.ParseDocument,
    bulk: Topic.ParseInBulk,
    deadLetters: DeadLetters.Parse,
  },
  [ConsumerGroup.Index]: {
    interactive: Topic.BuildIndex,
    bulk: Topic.RebuildIndex,
    deadLetters: DeadLetters.Index,
  },
  [ConsumerGroup.Delete]: {
    interactive: Topic.DeleteIndex,
    bulk: Topic.DeleteInBulk,
    deadLetters: DeadLetters.Delete,
  },
};

const groupOfType: Readonly<Record<TaskType, ConsumerGroup>> = {
  [TaskType.ParseDocument]: ConsumerGroup.Parse,
  [TaskType.BuildIndex]: ConsumerGroup.Index,
  [TaskType.RebuildIndex]: ConsumerGroup.Index,
  [TaskType.DeleteIndex]: ConsumerGroup.Delete,
};

export const consumerGroups: readonly ConsumerGroup[] = Object.values(ConsumerGroup);
export const topics: readonly Topic[] = Object.values(Topic);
export const deadLetters: readonly DeadLetters[] = Object.values(DeadLetters);
export const destinations: readonly Destination[] = [...topics, ...deadLetters];

/** True for the name of a topic, without prefix. */
export function isTopic(name: string): name is Topic {
  return (topics as readonly string[]).includes(name);
}

/** True for the name of a place of dead letters, without prefix. */
export function isDeadLetters(name: string): name is DeadLetters {
  return (deadLetters as readonly string[]).includes(name);
}

/** The topics of a group, most urgent first. */
export function lanesOf(group: ConsumerGroup): readonly [interactive: Topic, bulk: Topic] {
  const { interactive, bulk } = topicsOfGroup[group];
  return [interactive, bulk];
}

/** Where the dead letters of a group's work go. */
export function deadLettersOf(group: ConsumerGroup): DeadLetters {
  return topicsOfGroup[group].deadLetters;
}

/** The group whose consumers read a topic. */
export function readersOf(topic: Topic): ConsumerGroup {
  const readers = consumerGroups.find((group) => lanesOf(group).includes(topic));
  if (!readers) throw new Error(`nobody reads ${topic}`);
  return readers;
}

/** The topic that tells of a task. */
export function topicOf(type: TaskType, priority: TaskPriority): Topic {
  const { interactive, bulk } = topicsOfGroup[groupOfType[type]];
  return priority === TaskPriority.Bulk ? bulk : interactive;
}

/** The topics that tasks of a type travel on: builds have one each, whether or not they belong to a batch. */
export function topicsOf(type: TaskType): readonly Topic[] {
  const own = topicOf(type, priorityByType(type));
  const isBuild = groupOfType[type] === ConsumerGroup.Index;
  return isBuild ? [own] : lanesOf(groupOfType[type]);
}

/** How urgent the messages of a topic are. */
export function priorityOf(topic: Topic): TaskPriority {
  return topicsOfGroup[readersOf(topic)].bulk === topic ? TaskPriority.Bulk : TaskPriority.Interactive;
}

/** The group whose consumers work on tasks of a type. */
export function groupOf(type: TaskType): ConsumerGroup {
  return groupOfType[type];
}

/** The types of the tasks that a group works on. */
export function typesOfGroup(group: ConsumerGroup): TaskType[] {
  return Object.values(TaskType).filter((type) => groupOfType[type] === group);
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
