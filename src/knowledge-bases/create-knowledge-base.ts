import type { KnowledgeBase, KnowledgeBaseRepository } from '../database/repositories/knowledge-base-repository.js';
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
    private readonly bases: KnowledgeBaseRepository,
    private readonly models: AvailableModels,
    private readonly ids: { next(): Id },
  ) {}

  /** @throws AppError MODEL_NOT_AVAILABLE, NAME_TAKEN. */
  async create(tenantId: TenantId, terms: KnowledgeBaseTerms): Promise<KnowledgeBase> {
    refuseUnavailable(this.models, terms.embeddingModel);
    const base = await this.insert(tenantId, terms, false);
    if (!base) throw nameTaken();
    return base;
  }

  /** Gives the default base, made on the first call. Of several processes that start at once, one makes it. */
  async ensureDefault(tenantId: TenantId): Promise<KnowledgeBase> {
    const base =
      (await this.bases.findDefault(tenantId)) ??
      (await this.insert(tenantId, { name: defaultBaseName }, true)) ??
      (await this.bases.findDefault(tenantId));
    if (!base) throw new Error(`a base that is called ${defaultBaseName} is not marked as the default`);
    return base;
  }

  private async insert(
    tenantId: TenantId,
    terms: KnowledgeBaseTerms,
    isDefault: boolean,
  ): Promise<KnowledgeBase | undefined> {
    const knowledgeBaseId = this.ids.next();
    const inserted = await this.bases.insert({
      knowledgeBaseId,
      tenantId,
      name: terms.name,
      description: terms.description ?? null,
      embeddingModel: terms.embeddingModel ?? this.models.standard,
      language: terms.language ?? null,
      isDefault,
    });
    return inserted ? this.bases.find(tenantId, knowledgeBaseId) : undefined;
  }
}
