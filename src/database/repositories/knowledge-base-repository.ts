import type { Id, TenantId } from '../../domain/ids/id.js';
import { pageOf, type Page, type PageRequest } from '../../domain/page.js';
import type { Database, SqlRunner, TransactionContext } from '../database.js';

/** A knowledge base as it is stored, with the number of its documents. */
export interface KnowledgeBase {
  readonly knowledgeBaseId: Id;
  readonly name: string;
  readonly description: string | null;
  readonly embeddingModel: string;
  readonly language: string | null;
  readonly isDefault: boolean;
  readonly documentCount: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export interface NewKnowledgeBase {
  readonly knowledgeBaseId: Id;
  readonly tenantId: TenantId;
  readonly name: string;
  readonly description: string | null;
  readonly embeddingModel: string;
  readonly language: string | null;
  readonly isDefault: boolean;
}

/** What changes; a field that is absent stays as it is. */
export interface KnowledgeBaseChange {
  readonly name?: string;
  readonly description?: string | null;
  readonly embeddingModel?: string;
  readonly language?: string | null;
}

const columns = `b.id as "knowledgeBaseId", b.name, b.description, b.embedding_model as "embeddingModel", b.language,
  b.is_default as "isDefault", b.created_at as "createdAt", b.updated_at as "updatedAt",
  (select count(*)::integer from document d
    where d.tenant_id = b.tenant_id and d.knowledge_base_id = b.id and d.deleted_at is null) as "documentCount"`;

const changeable = {
  name: 'name',
  description: 'description',
  embeddingModel: 'embedding_model',
  language: 'language',
} as const satisfies Record<keyof KnowledgeBaseChange, string>;

/** Knowledge bases that are not deleted. Every look-up names the tenant. */
export class KnowledgeBaseRepository {
  constructor(private readonly database: Database) {}

  /** False if a base of that name, or another default, is there already; the unique indexes decide. */
  async insert(sql: SqlRunner, base: NewKnowledgeBase): Promise<boolean> {
    const rows = await sql.query(
      `insert into knowledge_base (id, tenant_id, name, description, embedding_model, language, is_default)
       values ($1, $2, $3, $4, $5, $6, $7)
       on conflict do nothing returning id`,
      [
        base.knowledgeBaseId,
        base.tenantId,
        base.name,
        base.description,
        base.embeddingModel,
        base.language,
        base.isDefault,
      ],
    );
    return rows.length === 1;
  }

  async find(tenantId: TenantId, knowledgeBaseId: Id): Promise<KnowledgeBase | undefined> {
    const [base] = await this.database.query<KnowledgeBase>(
      `select ${columns} from knowledge_base b where b.id = $1 and b.tenant_id = $2 and b.deleted_at is null`,
      [knowledgeBaseId, tenantId],
    );
    return base;
  }

  /** Keeps a base from being deleted until the transaction ends; false if it is deleted already. */
  async holdOn(tx: TransactionContext, knowledgeBaseId: Id): Promise<boolean> {
    const rows = await tx.query('select 1 from knowledge_base where id = $1 and deleted_at is null for share', [
      knowledgeBaseId,
    ]);
    return rows.length === 1;
  }

  /** The base that takes what names none; there from the first start. */
  async findDefault(tenantId: TenantId): Promise<KnowledgeBase | undefined> {
    const [base] = await this.database.query<KnowledgeBase>(
      `select ${columns} from knowledge_base b where b.tenant_id = $1 and b.is_default and b.deleted_at is null`,
      [tenantId],
    );
    return base;
  }

  /** Oldest first. */
  async list(tenantId: TenantId, page: PageRequest): Promise<Page<KnowledgeBase>> {
    const rows = await this.database.query<KnowledgeBase>(
      `select ${columns} from knowledge_base b
        where b.tenant_id = $1 and b.deleted_at is null and b.id > $2 order by b.id limit $3`,
      [tenantId, page.after ?? '0', page.limit + 1],
    );
    return pageOf(rows, page.limit, (base) => base.knowledgeBaseId);
  }

  /** `absent` for an unknown base, `taken` where another base has the name. */
  async update(
    tenantId: TenantId,
    knowledgeBaseId: Id,
    change: KnowledgeBaseChange,
  ): Promise<'updated' | 'absent' | 'taken'> {
    const given = (Object.keys(changeable) as (keyof KnowledgeBaseChange)[]).filter(
      (field) => change[field] !== undefined,
    );
    const sets = given.map((field, at) => `${changeable[field]} = $${at + 3}`);
    try {
      const rows = await this.database.query(
        `update knowledge_base set ${[...sets, 'updated_at = now()'].join(', ')}
          where id = $1 and tenant_id = $2 and deleted_at is null returning id`,
        [knowledgeBaseId, tenantId, ...given.map((field) => change[field])],
      );
      return rows.length === 1 ? 'updated' : 'absent';
    } catch (error) {
      if (isNameConflict(error)) return 'taken';
      throw error;
    }
  }
}

function isNameConflict(error: unknown): boolean {
  const { code, constraint } = error as { code?: unknown; constraint?: unknown };
  return code === '23505' && constraint === 'knowledge_base_name';
}
