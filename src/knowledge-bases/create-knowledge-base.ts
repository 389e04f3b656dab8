import type { Database, SqlRunner } from '../database/database.js';
import type { Once } from '../database/once.js';
import type { KnowledgeBase, KnowledgeBaseRepository } from '../database/repositories/knowledge-base-repository.js';
import { AppError } from '../domain/errors.js';
import type { Id, TenantId } from '../domain/ids/id.js';
import { refuseUnavailable, type AvailableModels } from './available-models.js';
import { nameTaken } from './knowledge-base-errors.js';

export interface KnowledgeBaseTerms {
  readonly name: string;
  readonly description?: string;
  /** The configured one by default. */
  readonly embeddingModel?: string;
  readonly language?: string;
}

export const defaultBaseName = 'default';

/** Makes knowledge bases: those that people ask for, and the one that is always there. */
export class CreateKnowledgeBase {
  constructor(
    private readonly database: Database,
    private readonly bases: KnowledgeBaseRepository,
    private readonly models: AvailableModels,
    private readonly ids: { next(): Id },
  ) {}

  /** @throws AppError MODEL_NOT_AVAILABLE, NAME_TAKEN. */
  async create(tenantId: TenantId, terms: KnowledgeBaseTerms, once?: Once): Promise<KnowledgeBase> {
    refuseUnavailable(this.models, terms.embeddingModel);
    const knowledgeBaseId = await this.database.transaction(async (tx) => {
      const inserted = await this.insert(tx, tenantId, terms, false);
      if (inserted === undefined) throw nameTaken();
      return inserted;
    }, once);
    const base = await this.bases.find(tenantId, knowledgeBaseId);
    if (!base) throw new AppError('KNOWLEDGE_BASE_NOT_FOUND', 'The base has been deleted since it was made.');
    return base;
  }

  /** Gives the default base, made on the first call. Of several processes that start at once, one makes it. */
  async ensureDefault(tenantId: TenantId): Promise<KnowledgeBase> {
    const known = await this.bases.findDefault(tenantId);
    if (known) return known;
    await this.insert(this.database, tenantId, { name: defaultBaseName }, true);
    const base = await this.bases.findDefault(tenantId);
    if (!base) throw new Error(`a base that is called ${defaultBaseName} is not marked as the default`);
    return base;
  }

  /** Gives the id; undefined if the name, or the place of the default, is taken. */
  private async insert(
    sql: SqlRunner,
    tenantId: TenantId,
    terms: KnowledgeBaseTerms,
    isDefault: boolean,
  ): Promise<Id | undefined> {
    const knowledgeBaseId = this.ids.next();
    const inserted = await this.bases.insert(sql, {
      knowledgeBaseId,
      tenantId,
      name: terms.name,
      description: terms.description ?? null,
      embeddingModel: terms.embeddingModel ?? this.models.standard,
      language: terms.language ?? null,
      isDefault,
    });
    return inserted ? knowledgeBaseId : undefined;
  }
}
