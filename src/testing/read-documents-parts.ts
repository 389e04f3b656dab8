import { repositoriesOn } from '../composition/repositories.js';
import type { Database } from '../database/database.js';
import type { DocumentTextRepository } from '../database/repositories/document-text-repository.js';
import type { ObjectStore } from '../documents/object-store.js';
import { ReadDocuments } from '../documents/read-documents.js';
import { testIds } from './factories.js';

/** Reads what a test's database and object store hold, and the repository that texts are planted with. */
export function newReadDocuments(
  database: Database,
  objects: ObjectStore,
): { reading: ReadDocuments; texts: DocumentTextRepository } {
  const { documents, texts, chunkReads } = repositoriesOn(database, testIds);
  return { reading: new ReadDocuments(documents, texts, chunkReads, objects), texts };
}
