import type { KnowledgeBase, KnowledgeBaseRepository } from '../database/repositories/knowledge-base-repository.js';
import type { Id, TenantId } from '../domain/ids/id.js';
import type { Page, PageRequest } from '../domain/page.js';
import { knowledgeBaseNotFound } from './knowledge-base-errors.js';

/** Looks knowledge bases up for people. */
export class ReadKnowledgeBases {
  constructor(private readonly bases: KnowledgeBaseRepository) {}

  /** @throws AppError KNOWLEDGE_BASE_NOT_FOUND. */
  async get(tenantId: TenantId, knowledgeBaseId: Id): Promise<KnowledgeBase> {
    const base = await this.bases.find(tenantId, knowledgeBaseId);
    if (!base) throw knowledgeBaseNotFound(knowledgeBaseId);
    return base;
  }

  /** Oldest first, so that the default base leads. */
  list(tenantId: TenantId, page: PageRequest): Promise<Page<KnowledgeBase>> {
    return this.bases.list(tenantId, page);
  }
}
