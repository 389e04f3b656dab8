import type {
  KnowledgeBase,
  KnowledgeBaseChange,
  KnowledgeBaseRepository,
} from '../database/repositories/knowledge-base-repository.js';
import { AppError } from '../domain/errors.js';
import type { Id, TenantId } from '../domain/ids/id.js';
import { refuseUnavailable, type AvailableModels } from './available-models.js';
import { knowledgeBaseNotFound, nameTaken } from './knowledge-base-errors.js';

/** Changes what people may change of a knowledge base. */
export class ChangeKnowledgeBase {
  constructor(
    private readonly bases: KnowledgeBaseRepository,
    private readonly models: AvailableModels,
  ) {}

  /**
   * The default base keeps its name, by which clients find it.
   *
   * @throws AppError KNOWLEDGE_BASE_NOT_FOUND, MODEL_NOT_AVAILABLE, DEFAULT_KNOWLEDGE_BASE, NAME_TAKEN.
   */
  async change(tenantId: TenantId, knowledgeBaseId: Id, change: KnowledgeBaseChange): Promise<KnowledgeBase> {
    const before = await this.find(tenantId, knowledgeBaseId);
    refuseUnavailable(this.models, change.embeddingModel);
    if (before.isDefault && change.name !== undefined && change.name !== before.name) {
      throw new AppError('DEFAULT_KNOWLEDGE_BASE', 'The default knowledge base keeps its name.');
    }
    const outcome = await this.bases.update(tenantId, knowledgeBaseId, change);
    if (outcome === 'taken') throw nameTaken();
    return this.find(tenantId, knowledgeBaseId);
  }

  private async find(tenantId: TenantId, knowledgeBaseId: Id): Promise<KnowledgeBase> {
    const base = await this.bases.find(tenantId, knowledgeBaseId);
    if (!base) throw knowledgeBaseNotFound(knowledgeBaseId);
    return base;
  }
}
