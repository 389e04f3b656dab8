/** What a search by vector and by words needs, and no more. */
export async function createFloorTable(client) {
  await client.query('create extension if not exists vector');
  await client.query(`create table floor_chunk (
    document_id bigint not null, ordinal int not null, content text not null, terms tsvector not null,
    embedding vector(384) not null, unique (document_id, ordinal))`);
  await client.query('create index on floor_chunk using gin (terms)');
}

/** All chunks of a document, by one statement in a transaction of its own. */
export async function writeDocument(client, documentId, texts, vectors) {
  await client.query('begin');
  await client.query({
    name: 'floor-insert',
    text: `insert into floor_chunk (document_id, ordinal, content, terms, embedding)
           select $1, r.ordinal, r.content, to_tsvector('english', r.content), r.embedding::vector
             from unnest($2::int[], $3::text[], $4::text[]) as r (ordinal, content, embedding)`,
    values: [documentId, texts.map((_, i) => i), texts, vectors.map((vector) => `[${vector.join(',')}]`)],
  });
  await client.query('commit');
}
