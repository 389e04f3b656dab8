import type { KnowledgeBase } from '../../database/repositories/knowledge-base-repository.js';
import { IdTextField } from '../fields/id-fields.js';
import { FlagField, IntegerField } from '../fields/number-fields.js';
import { TextField, TimeField } from '../fields/text-fields.js';
import { timeText, type TimeText } from './time.js';

/** A knowledge base as the API answers it. */
export class KnowledgeBaseView {
  @IdTextField({ description: 'Id of the base.', example: '241865211904000000' })
  knowledgeBaseId!: string;

  @TextField({ description: 'Unique within the tenant.', example: 'pump-manuals' })
  name!: string;

  @TextField({ description: 'What it holds.', example: 'Manuals of all pumps', nullable: true })
  description!: string | null;

  @TextField({ description: 'Embedding model of its vectors.', example: 'all-MiniLM-L6-v2' })
  embeddingModel!: string;

  @TextField({ description: 'Main language of its documents, if somebody said.', example: 'en', nullable: true })
  language!: string | null;

  @FlagField({ description: 'Takes the documents that name no base; cannot be deleted.', example: false })
  isDefault!: boolean;

  @IntegerField({ description: 'Documents in it that are not deleted.', example: 12, min: 0 })
  documentCount!: number;

  @TimeField({ description: 'When it was made.', example: '2026-03-01T08:00:00.000Z' })
  createdAt!: TimeText;

  @TimeField({ description: 'When it was last changed.', example: '2026-03-02T08:00:00.000Z' })
  updatedAt!: TimeText;
}

export function knowledgeBaseView(base: KnowledgeBase): KnowledgeBaseView {
  return { ...base, createdAt: timeText(base.createdAt), updatedAt: timeText(base.updatedAt) };
}
