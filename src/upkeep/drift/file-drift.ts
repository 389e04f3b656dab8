import type { Database } from '../../database/database.js';
import type { FileRepository, OwnedFile } from '../../database/repositories/file-repository.js';
import { sourceFolder, type ObjectStore } from '../../documents/object-store.js';
import type { Id } from '../../domain/ids/id.js';
import type { DriftKind } from './drift-kind.js';

export interface FileDriftParts {
  readonly database: Database;
  readonly files: FileRepository;
  readonly objects: ObjectStore;
}

/** Documents whose file is not there. Nobody but a person can bring it back. */
export function missingFiles({ files, objects }: FileDriftParts): DriftKind {
  return {
    name: 'FILE_MISSING',
    mendedBy: 'nobody',
    scan: async function* () {
      for await (const ids of files.documents()) yield missingOf(ids, files, objects);
    },
    settle: () => Promise.resolve(false),
  };
}

async function missingOf(ids: readonly Id[], files: FileRepository, objects: ObjectStore): Promise<Id[]> {
  const gone: OwnedFile[] = [];
  for (const source of await files.sourcesOf(ids)) if (!(await objects.exists(source.key))) gone.push(source);
  // A new source may have taken the place of the one that was looked for.
  const named = new Set((await files.sourcesOf(gone.map(({ documentId }) => documentId))).map(({ key }) => key));
  return gone.filter(({ key }) => named.has(key)).map(({ documentId }) => documentId);
}

/**
 * Files that no document names, older than `safeAgeMs`; found are their names. However old it is, a file is given up in
 * the database before it is removed, so that an upload that still comes to its commit is refused instead of robbed.
 */
export function ownerlessFiles({ database, files, objects }: FileDriftParts, safeAgeMs: number): DriftKind {
  return {
    name: 'FILE_WITHOUT_DOCUMENT',
    mendedBy: 'upkeep',
    scan: async function* () {
      for await (const kept of objects.list(sourceFolder)) {
        const old = kept.filter(({ ageMs }) => ageMs >= safeAgeMs).map(({ key }) => key);
        yield (await files.unowned(old)).map((key) => key.slice(sourceFolder.length + 1));
      }
    },
    settle: async (name) => {
      const key = `${sourceFolder}/${name}`;
      if (!(await database.transaction((tx) => files.giveUp(tx, key)))) return false;
      await objects.delete(key);
      return true;
    },
  };
}
