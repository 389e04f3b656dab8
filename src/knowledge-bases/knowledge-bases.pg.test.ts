import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { KnowledgeBaseRepository } from '../database/repositories/knowledge-base-repository.js';
import { SnowflakeIds } from '../domain/ids/snowflake.js';
import { openTestDatabase, type TestDatabase } from '../testing/test-database.js';
import { onlyModel } from './available-models.js';
import { ChangeKnowledgeBase } from './change-knowledge-base.js';
import { CreateKnowledgeBase } from './create-knowledge-base.js';
import { ReadKnowledgeBases } from './read-knowledge-bases.js';

const tenant = '0';
const unknownId = '9007199254740993';
const ids = new SnowflakeIds(1, () => Date.now());
let test: TestDatabase;
let bases: KnowledgeBaseRepository;
let creating: CreateKnowledgeBase;
let reading: ReadKnowledgeBases;
let changing: ChangeKnowledgeBase;

beforeAll(async () => {
  test = await openTestDatabase({ on: 'postgres' });
  bases = new KnowledgeBaseRepository(test.database);
  const models = onlyModel('mini');
  creating = new CreateKnowledgeBase(test.database, bases, models, ids);
  reading = new ReadKnowledgeBases(bases);
  changing = new ChangeKnowledgeBase(bases, models);
});
afterAll(() => test.close());

async function addDocument(knowledgeBaseId: string, deleted = false): Promise<void> {
  await test.database.query(
    `insert into document (id, knowledge_base_id, title, file_name, media_type, size_bytes, source_hash, source_key,
                           parse_status, strategy_status, index_status, deleted_at)
     values ($1, $2, 't', 'f', 'text/plain', 1, 'h', 'k', 1, 1, 1, case when $3 then now() end)`,
    [ids.next(), knowledgeBaseId, deleted],
  );
}

describe('creating', () => {
  it('takes the configured model where none is named', async () => {
    const base = await creating.create(tenant, { name: 'manuals', description: 'Pumps', language: 'zh' });
    expect(base).toMatchObject({
      name: 'manuals',
      description: 'Pumps',
      embeddingModel: 'mini',
      language: 'zh',
      isDefault: false,
      documentCount: 0,
    });
    expect(await reading.get(tenant, base.knowledgeBaseId)).toEqual(base);
  });

  it('refuses a name that is taken, also for the loser of a race', async () => {
    const outcomes = await Promise.allSettled(
      Array.from({ length: 8 }, () => creating.create(tenant, { name: 'wanted' })),
    );
    const lost = outcomes.filter((outcome) => outcome.status === 'rejected');
    expect(lost).toHaveLength(7);
    for (const { reason } of lost) expect(reason).toMatchObject({ code: 'NAME_TAKEN' });
  });

  it('lets another tenant have the same name', async () => {
    await creating.create(tenant, { name: 'shared' });
    await expect(creating.create('7', { name: 'shared' })).resolves.toMatchObject({ name: 'shared' });
  });

  it('refuses a model that is not here, and makes nothing', async () => {
    await expect(creating.create(tenant, { name: 'x', embeddingModel: 'other' })).rejects.toMatchObject({
      code: 'MODEL_NOT_AVAILABLE',
      details: { available: ['mini'] },
    });
    await expect(creating.create(tenant, { name: 'x', embeddingModel: 'mini' })).resolves.toMatchObject({ name: 'x' });
  });
});

describe('the default base', () => {
  it('is made once by any number of processes that start together', async () => {
    const made = await Promise.all(Array.from({ length: 8 }, () => creating.ensureDefault('9')));
    expect(new Set(made.map((base) => base.knowledgeBaseId)).size).toBe(1);
    expect(made[0]).toMatchObject({ name: 'default', isDefault: true });
    expect((await bases.list('9', { limit: 10 })).items).toHaveLength(1);
  });

  it('keeps its name and may be described', async () => {
    const { knowledgeBaseId } = await creating.ensureDefault('9');
    await expect(changing.change('9', knowledgeBaseId, { name: 'mine' })).rejects.toMatchObject({
      code: 'DEFAULT_KNOWLEDGE_BASE',
    });
    await expect(changing.change('9', knowledgeBaseId, { name: 'default', description: 'All' })).resolves.toMatchObject(
      { name: 'default', description: 'All' },
    );
  });
});

describe('changing', () => {
  it('changes what is given, and only that', async () => {
    const { knowledgeBaseId, ...before } = await creating.create(tenant, {
      name: 'old',
      description: 'Old',
      language: 'en',
    });
    const after = await changing.change(tenant, knowledgeBaseId, { name: 'new', description: null });
    expect(after).toEqual({ ...before, knowledgeBaseId, name: 'new', description: null, updatedAt: after.updatedAt });
    expect(after.updatedAt.getTime()).toBeGreaterThanOrEqual(before.updatedAt.getTime());
  });

  it('refuses the name of another base', async () => {
    const base = await creating.create(tenant, { name: 'one' });
    await creating.create(tenant, { name: 'two' });
    await expect(changing.change(tenant, base.knowledgeBaseId, { name: 'two' })).rejects.toMatchObject({
      code: 'NAME_TAKEN',
    });
  });

  it('finds no base of another tenant, and none that is unknown', async () => {
    const base = await creating.create(tenant, { name: 'private' });
    for (const [who, id] of [
      ['7', base.knowledgeBaseId],
      [tenant, unknownId],
    ] as const) {
      await expect(changing.change(who, id, { name: 'z' })).rejects.toMatchObject({ code: 'KNOWLEDGE_BASE_NOT_FOUND' });
      await expect(reading.get(who, id)).rejects.toMatchObject({ code: 'KNOWLEDGE_BASE_NOT_FOUND' });
    }
  });
});

describe('listing', () => {
  it('goes on after a page while bases are added, oldest first', async () => {
    for (const name of ['a', 'b', 'c']) await creating.create('5', { name });
    const first = await reading.list('5', { limit: 2 });
    await creating.create('5', { name: 'd' });
    const rest = await reading.list('5', { limit: 2, after: first.next ?? '' });
    expect([...first.items, ...rest.items].map((base) => base.name)).toEqual(['a', 'b', 'c', 'd']);
    expect(rest.next).toBeNull();
  });

  it('counts the documents that are not deleted', async () => {
    const { knowledgeBaseId } = await creating.create(tenant, { name: 'counted' });
    await addDocument(knowledgeBaseId);
    await addDocument(knowledgeBaseId);
    await addDocument(knowledgeBaseId, true);
    expect((await reading.get(tenant, knowledgeBaseId)).documentCount).toBe(2);
  });
});
