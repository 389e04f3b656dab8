import { expect } from '@jest/globals';
import { sourceFolder } from '../../../documents/object-store.js';
import { testIds } from '../../factories.js';
import { dayMs, type DriftCase, type DriftScene } from './drift-scene.js';

/** What is stored and belongs to nothing: chunks, vectors, versions and files. */
export const orphanDriftCases: readonly DriftCase[] = [
  {
    kind: 'CHUNKS_WITHOUT_VERSION',
    cause: async (scene) => {
      await withoutKeys(scene, () =>
        scene.rows(
          `insert into chunk select $1, tenant_id, document_id, knowledge_base_id, 78, level, ordinal, parent_ordinal, char_start, char_end, content, tokens, overlap_start, heading_path, context, rule from chunk where version_id = $2 and level = 'PARENT'`,
          testIds.next(),
          scene.served.versionId,
        ),
      );
      return '78';
    },
    mended: async (scene) => expect(await scene.rows('select 1 from chunk where version_id = 78')).toEqual([]),
  },
  {
    kind: 'VECTORS_WITHOUT_VERSION',
    cause: async (scene) => {
      await scene.rows(
        `insert into chunk_vector_384 select knowledge_base_id, 79, ordinal, embedding from chunk_vector_384 where version_id = $1`,
        scene.served.versionId,
      );
      return '79';
    },
    mended: async (scene) =>
      expect(await scene.rows('select 1 from chunk_vector_384 where version_id = 79')).toEqual([]),
  },
  {
    kind: 'VERSION_LEFT_OVER',
    cause: async (scene) => {
      const newer = await scene.plantNewerVersion();
      await scene.set('index_version', `activated_at = now() - interval '2 hours'`, newer.versionId);
      await scene.set('task', `finished_at = now() - interval '3 hours'`, scene.served.taskId);
      return scene.set('index_version', `created_at = now() - interval '3 hours'`, scene.served.versionId);
    },
    mended: async (scene) => {
      const { versionId } = scene.served;
      expect(await scene.rows('select 1 from index_version where id = $1', versionId)).toEqual([]);
      expect(await scene.rows('select 1 from chunk where version_id = $1', versionId)).toEqual([]);
    },
  },
  {
    kind: 'FILE_WITHOUT_DOCUMENT',
    cause: async (scene) => {
      const key = await scene.putSource();
      await scene.age(key, 2 * dayMs);
      await scene.putSource();
      return key.slice(sourceFolder.length + 1);
    },
  },
];

/** Keys forbid it; a backup that was restored in part may still bring it about. */
async function withoutKeys(scene: DriftScene, work: () => Promise<unknown>): Promise<void> {
  await scene.rows('alter table chunk disable trigger all');
  await work();
  await scene.rows('alter table chunk enable trigger all');
}
