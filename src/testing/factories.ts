import type { TransactionContext, Database } from '../database/database.js';
import type { BuildSpec, EmbeddingModel } from '../domain/build-spec.js';
import { IndexStatus } from '../domain/document/index-status.js';
import { ParseStatus } from '../domain/document/parse-status.js';
import { StrategyStatus } from '../domain/document/strategy-status.js';
import type { Id } from '../domain/ids/id.js';
import { SnowflakeIds } from '../domain/ids/snowflake.js';
import { PlanStatus } from '../domain/plan/plan-status.js';
import { snapshotOf } from '../domain/plan/strategy-snapshot.js';
import { Level, Strategy, type PlanStep } from '../domain/plan/strategy.js';
import { freshStages } from '../domain/task/progress.js';
import { Stage, stagesOf } from '../domain/task/stage.js';
import { TaskStatus } from '../domain/task/task-status.js';
import { Actor, TaskType } from '../domain/task/task-type.js';
import { chunkerVersion, type ChunkLimits } from '../domain/text/chunk.js';
import { normaliserVersion, parserVersion } from '../domain/text/block.js';

export const testIds = new SnowflakeIds(1_023, () => Date.now());

export const testModel: EmbeddingModel = {
  id: 'all-MiniLM-L6-v2',
  dimension: 384,
  maxTokens: 256,
  pooling: 'mean',
  queryPrefix: '',
  passagePrefix: '',
};

export const testLimits: ChunkLimits = {
  PARENT: { maxTokens: 4_096, maxChars: 16_000 },
  CHILD: { maxTokens: 256, maxChars: 2_000 },
};

export const testSteps: readonly PlanStep[] = [
  { level: Level.Parent, strategy: Strategy.Structure, params: {} },
  { level: Level.Child, strategy: Strategy.Recursive, params: {} },
];

export const testSpec: BuildSpec = {
  steps: testSteps,
  limits: testLimits,
  textRevision: 1,
  sourceHash: 'a'.repeat(64),
  parserVersion,
  normaliserVersion,
  chunkerVersion,
  segmenterVersion: 1,
  model: testModel,
};

export interface PlantedDocument {
  readonly knowledgeBaseId: Id;
  readonly documentId: Id;
  readonly planId: Id;
}

/** Inserts a base, a parsed document in it, and its current plan: confirmed unless told otherwise. */
export async function plantDocument(database: Database, { confirmed = true } = {}): Promise<PlantedDocument> {
  const planted = { knowledgeBaseId: testIds.next(), documentId: testIds.next(), planId: testIds.next() };
  await database.transaction(async (tx) => {
    await tx.query('insert into knowledge_base (id, name, embedding_model) values ($1, $2, $3)', [
      planted.knowledgeBaseId,
      `base ${planted.knowledgeBaseId}`,
      testModel.id,
    ]);
    await tx.query(
      `insert into document (id, knowledge_base_id, title, file_name, media_type, size_bytes, source_hash, source_key,
                             parse_status, strategy_status, index_status, current_plan_id, text_revision)
       values ($1, $2, 'title', 'file.md', 'text/markdown', 10, $3, 'key', $4, $5, $6, $7, 1)`,
      [
        planted.documentId,
        planted.knowledgeBaseId,
        testSpec.sourceHash,
        ParseStatus.ParseSuccess,
        confirmed ? StrategyStatus.Confirmed : StrategyStatus.Recommended,
        IndexStatus.WaitBuild,
        planted.planId,
      ],
    );
    await plantPlan(tx, planted, confirmed ? PlanStatus.Confirmed : PlanStatus.WaitConfirm);
  });
  return planted;
}

/** Inserts one base and so many parsed documents in it, with confirmed plans; gives them in the order of their ids. */
export async function plantDocuments(database: Database, count: number): Promise<PlantedDocument[]> {
  const knowledgeBaseId = testIds.next();
  const planted = Array.from({ length: count }, () => ({
    knowledgeBaseId,
    documentId: testIds.next(),
    planId: testIds.next(),
  }));
  const rows = `json_to_recordset($1::json) as r ("documentId" bigint, "planId" bigint)`;
  const json = JSON.stringify(planted);
  await database.transaction(async (tx) => {
    await tx.query('insert into knowledge_base (id, name, embedding_model) values ($1, $2, $3)', [
      knowledgeBaseId,
      `base ${knowledgeBaseId}`,
      testModel.id,
    ]);
    await tx.query(
      `insert into document (id, knowledge_base_id, title, file_name, media_type, size_bytes, source_hash, source_key,
                             parse_status, strategy_status, index_status, current_plan_id, text_revision)
       select "documentId", $2, 'title', 'file.md', 'text/markdown', 10, $3, 'key', ${ParseStatus.ParseSuccess},
              ${StrategyStatus.Confirmed}, ${IndexStatus.WaitBuild}, "planId", 1 from ${rows}`,
      [json, knowledgeBaseId, testSpec.sourceHash],
    );
    await tx.query(
      `insert into strategy_plan (id, document_id, plan_no, plan_status, source, strategy_snapshot, text_revision)
       select "planId", "documentId", 1, ${PlanStatus.Confirmed}, 'RECOMMENDED', $2, 1 from ${rows}`,
      [json, snapshotOf(testSteps)],
    );
    await tx.query(
      `insert into strategy_step (plan_id, step_no, level, strategy, params)
       select r."planId", s.no, s.level, s.strategy, '{}' from ${rows},
              rows from (json_to_recordset($2::json) as (level text, strategy int)) with ordinality as s (level, strategy, no)`,
      [json, JSON.stringify(testSteps)],
    );
  });
  return planted;
}

/** Inserts a plan of a document with the test steps; the document's current plan stays as it is. */
export async function plantPlan(
  tx: TransactionContext,
  { documentId, planId }: Pick<PlantedDocument, 'documentId' | 'planId'>,
  planStatus: PlanStatus,
): Promise<void> {
  await tx.query(
    `insert into strategy_plan (id, document_id, plan_no, plan_status, source, strategy_snapshot, text_revision)
     select $1, $2, coalesce(max(plan_no), 0) + 1, $3, 'RECOMMENDED', $4, 1 from strategy_plan where document_id = $2`,
    [planId, documentId, planStatus, snapshotOf(testSteps)],
  );
  for (const [i, step] of testSteps.entries()) {
    await tx.query(
      'insert into strategy_step (plan_id, step_no, level, strategy, params) values ($1, $2, $3, $4, $5)',
      [planId, i + 1, step.level, step.strategy, JSON.stringify(step.params)],
    );
  }
}

/** Inserts a NEW build task of a planted document, and the document as BUILDING. */
export async function plantTask(database: Database, planted: PlantedDocument, { maxRetryCount = 3 } = {}): Promise<Id> {
  const taskId = testIds.next();
  await database.transaction(async (tx) => {
    await tx.query(
      `insert into task (id, document_id, knowledge_base_id, plan_id, task_type, task_status, current_stage,
                         trigger_source, strategy_snapshot, build_spec, stages, max_retry_count)
       values ($1, $2, $3, $4, ${TaskType.BuildIndex}, ${TaskStatus.New}, ${Stage.ChunkExecute}, ${Actor.System}, $5, $6, $7, $8)`,
      [
        taskId,
        planted.documentId,
        planted.knowledgeBaseId,
        planted.planId,
        snapshotOf(testSteps),
        JSON.stringify(testSpec),
        JSON.stringify(freshStages(stagesOf(TaskType.BuildIndex))),
        maxRetryCount,
      ],
    );
    await tx.query(`update document set index_status = ${IndexStatus.Building} where id = $1`, [planted.documentId]);
  });
  return taskId;
}

/** Gives a planted document a served version of its present source and plan, built by a task that is over. */
export async function plantVersion(database: Database, planted: PlantedDocument): Promise<void> {
  const [taskId, versionId] = [await plantTask(database, planted), testIds.next()];
  await database.query(
    `update task set task_status = ${TaskStatus.Success}, finished_at = now(), attempt = 1 where id = $1`,
    [taskId],
  );
  await database.query(
    `insert into index_version (id, document_id, knowledge_base_id, version, task_id, plan_id, text_revision, source_hash,
                                model_id, dimension, state)
     select $1, d.id, d.knowledge_base_id, 1, $2, d.current_plan_id, d.text_revision, d.source_hash, $3, $4, 2
       from document d where d.id = $5`,
    [versionId, taskId, testModel.id, testModel.dimension, planted.documentId],
  );
  await database.query(
    `update document set index_status = ${IndexStatus.Built}, active_version_id = $2 where id = $1`,
    [planted.documentId, versionId],
  );
}
