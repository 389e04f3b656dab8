import type { CodeTable } from '../coded-value.js';

export const TaskType = {
  /** Read a source: text, blocks, features, recommended plan. */
  ParseDocument: 1,
  /** Build an index version on a person's request. */
  BuildIndex: 2,
  /** Remove a deleted document's index, text and files. */
  DeleteIndex: 3,
  /** Build an index version as part of a batch. */
  RebuildIndex: 4,
} as const;
export type TaskType = (typeof TaskType)[keyof typeof TaskType];

export const taskTypeTable: CodeTable<TaskType> = {
  1: { name: 'PARSE_DOCUMENT', text: { en: 'Parse the document', zh: '解析文档' } },
  2: { name: 'BUILD_INDEX', text: { en: 'Build the index', zh: '构建索引' } },
  3: { name: 'DELETE_INDEX', text: { en: 'Delete the index', zh: '删除索引' } },
  4: { name: 'REBUILD_INDEX', text: { en: 'Rebuild the index', zh: '重建索引' } },
};

/** Tasks that write or remove an index; at most one of them is live per document. */
export const indexTaskTypes: readonly TaskType[] = [TaskType.BuildIndex, TaskType.DeleteIndex, TaskType.RebuildIndex];

/** Who set a task off, and who did what a log line tells. No operator id means SYSTEM. */
export const Actor = { User: 1, System: 2 } as const;
export type Actor = (typeof Actor)[keyof typeof Actor];

export const actorTable: CodeTable<Actor> = {
  1: { name: 'USER', text: { en: 'A person', zh: '用户' } },
  2: { name: 'SYSTEM', text: { en: 'The system', zh: '系统' } },
};
