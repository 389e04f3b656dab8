import type { Database } from '../database/database.js';
import { IndexStatus } from '../domain/document/index-status.js';
import type { Id } from '../domain/ids/id.js';
import { Level } from '../domain/plan/strategy.js';
import { TaskStatus } from '../domain/task/task-status.js';
import { plantTask, testIds, testModel, testSpec, type PlantedDocument } from './factories.js';

/** A version that was built and switched in. */
export interface PlantedVersion extends PlantedDocument {
  readonly versionId: Id;
  readonly taskId: Id;
}

/** Inserts what a build leaves of a planted document: its task, its text, and a served version of a parent and two children. */
export async function plantServedVersion(database: Database, planted: PlantedDocument): Promise<PlantedVersion> {
  const { documentId, knowledgeBaseId, planId } = planted;
  const versionId = testIds.next();
  const taskId = await plantTask(database, planted);
  await database.query(`update task set task_status = ${TaskStatus.Success}, finished_at = now() where id = $1`, [
    taskId,
  ]);
  await database.query(
    `insert into document_text (document_id, revision, char_length, block_count, source_hash, parser_version, normaliser_version)
     values ($1, 1, 2, 0, $2, 1, 1) on conflict do nothing`,
    [documentId, testSpec.sourceHash],
  );
  await database.query(
    `insert into index_version (id, document_id, knowledge_base_id, version, task_id, plan_id, text_revision, source_hash,
                                model_id, dimension, state, parent_count, child_count, activated_at)
     select $1, $2, $3, coalesce(max(version), 0) + 1, $4, $5, 1, $6, $7, $8, 2, 1, 2, now() from index_version where document_id = $2`,
    [versionId, documentId, knowledgeBaseId, taskId, planId, testSpec.sourceHash, testModel.id, testModel.dimension],
  );
  await plantChunks(database, { ...planted, versionId });
  await database.query(
    `update document set active_version_id = $2, index_status = ${IndexStatus.Built} where id = $1`,
    [documentId, versionId],
  );
  return { ...planted, versionId, taskId };
}

async function plantChunks(
  database: Database,
  { documentId, knowledgeBaseId, versionId }: Omit<PlantedVersion, 'taskId'>,
): Promise<void> {
  const rows = [
    [Level.Parent, 0, null],
    [Level.Child, 0, 0],
    [Level.Child, 1, 0],
  ] as const;
  for (const [level, ordinal, parentOrdinal] of rows) {
    await database.query(
      `insert into chunk (id, document_id, knowledge_base_id, version_id, level, ordinal, parent_ordinal, char_start,
                          char_end, content, tokens, overlap_start, rule)
       values ($1, $2, $3, $4, $5, $6, $7, 0, 1, 'x', 3, 0, 'r')`,
      [testIds.next(), documentId, knowledgeBaseId, versionId, level, ordinal, parentOrdinal],
    );
  }
  await database.query(
    `insert into chunk_vector_${testModel.dimension}
     select $1, $2, o, array_fill(1, array[${testModel.dimension}])::vector from generate_series(0, 1) o`,
    [knowledgeBaseId, versionId],
  );
}
