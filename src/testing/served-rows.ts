import type { Database } from '../database/database.js';
import type { Id } from '../domain/ids/id.js';

/** What a document's served version holds, without the ids that differ from build to build. */
export async function servedRows(database: Database, documentId: Id): Promise<unknown[]> {
  return database.query(
    `select c.level, c.ordinal, c.parent_ordinal, c.char_start, c.char_end, c.content, c.tokens, c.overlap_start, c.rule,
            c.terms::text, v.embedding::text
       from document d join chunk c on c.version_id = d.active_version_id
       left join chunk_vector_384 v on v.version_id = c.version_id and v.ordinal = c.ordinal and c.level = 'CHILD'
      where d.id = $1 order by c.level, c.ordinal`,
    [documentId],
  );
}
