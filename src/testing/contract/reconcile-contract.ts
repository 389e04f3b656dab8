import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { TestDatabaseKind } from '../test-database.js';
import { documentDriftCases } from './drift/document-drift-cases.js';
import { DriftScene } from './drift/drift-scene.js';
import { orphanDriftCases } from './drift/orphan-drift-cases.js';
import { taskDriftCases } from './drift/task-drift-cases.js';
import { versionDriftCases } from './drift/version-drift-cases.js';

const cases = [...documentDriftCases, ...versionDriftCases, ...orphanDriftCases, ...taskDriftCases];

/** What reconciliation finds, tells and mends, on a database of one kind. */
export function describeReconcile(on: TestDatabaseKind): void {
  describe(`reconciliation on ${on}`, () => {
    let scene: DriftScene;

    beforeAll(async () => {
      scene = await DriftScene.open(on);
    });
    afterAll(() => scene.close());
    beforeEach(() => scene.begin());

    it.each(cases)('finds $kind, leaves it when told to, mends it, and finds it no more', async (drift) => {
      expect(await scene.find()).toEqual([]);
      const id = await drift.cause(scene);
      const found = [{ kind: drift.kind, count: 1, ids: [id], repaired: 0 }];
      expect(await scene.find()).toEqual(found);
      expect(await scene.find()).toEqual(found);
      expect(await scene.find(true)).toEqual([{ ...found[0], repaired: 1 }]);
      await drift.mended?.(scene);
      expect(await scene.find()).toEqual([]);
    });

    it('has a case for every kind that it can mend', () => {
      const mendable = scene.kinds.filter(({ mendedBy }) => mendedBy !== 'nobody').map(({ name }) => name);
      expect(cases.map(({ kind }) => kind).sort()).toEqual(mendable.sort());
    });

    it('tells of a file that is missing, and cannot bring it back', async () => {
      await scene.removeFile(await scene.putSource());
      const found = [{ kind: 'FILE_MISSING', count: 1, ids: [scene.served.documentId], repaired: 0 }];
      expect(await scene.find(true)).toEqual(found);
      expect(await scene.find()).toEqual(found);
      await scene.putSource();
    });
  });
}
