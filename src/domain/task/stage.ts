import type { CodeTable } from '../coded-value.js';
import { TaskType } from './task-type.js';

/** A step of a task's walk. */
export const Stage = {
  FileUpload: 1,
  ContentParse: 2,
  StrategyRoute: 3,
  ChunkExecute: 4,
  Vectorize: 5,
  IndexWrite: 6,
} as const;
export type Stage = (typeof Stage)[keyof typeof Stage];

export const stageTable: CodeTable<Stage> = {
  1: { name: 'FILE_UPLOAD', text: { en: 'Store the file', zh: '上传文件' } },
  2: { name: 'CONTENT_PARSE', text: { en: 'Read the text', zh: '解析内容' } },
  3: { name: 'STRATEGY_ROUTE', text: { en: 'Recommend a plan', zh: '推荐策略' } },
  4: { name: 'CHUNK_EXECUTE', text: { en: 'Cut into chunks', zh: '执行切块' } },
  5: { name: 'VECTORIZE', text: { en: 'Embed the chunks', zh: '向量化' } },
  6: { name: 'INDEX_WRITE', text: { en: 'Verify and switch', zh: '写入索引' } },
};

/** What a stage counts. A plain name in the API. */
export type StageUnit = 'files' | 'characters' | 'plans' | 'chunks' | 'versions';

export interface StageOutline {
  readonly stage: Stage;
  readonly unit: StageUnit;
  /** Its share of the task's percent; the shares of one task add up to 100. */
  readonly share: number;
}

const parseStages: readonly StageOutline[] = [
  { stage: Stage.FileUpload, unit: 'files', share: 5 },
  { stage: Stage.ContentParse, unit: 'characters', share: 75 },
  { stage: Stage.StrategyRoute, unit: 'plans', share: 20 },
];

const buildStages: readonly StageOutline[] = [
  { stage: Stage.ChunkExecute, unit: 'chunks', share: 10 },
  { stage: Stage.Vectorize, unit: 'chunks', share: 85 },
  { stage: Stage.IndexWrite, unit: 'versions', share: 5 },
];

const deleteStages: readonly StageOutline[] = [{ stage: Stage.IndexWrite, unit: 'versions', share: 100 }];

const stagesByType: Readonly<Record<TaskType, readonly StageOutline[]>> = {
  [TaskType.ParseDocument]: parseStages,
  [TaskType.BuildIndex]: buildStages,
  [TaskType.RebuildIndex]: buildStages,
  [TaskType.DeleteIndex]: deleteStages,
};

/** The stages of a type of task, in the order of its walk. */
export function stagesOf(type: TaskType): readonly StageOutline[] {
  return stagesByType[type];
}
