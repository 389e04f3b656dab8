import { itemStates, type ItemState } from '../../domain/batch/batch-item.js';
import { IdField, IdListField } from '../fields/id-fields.js';
import { FlagField } from '../fields/number-fields.js';
import { ChoiceField, TextField } from '../fields/text-fields.js';

/** Body of `POST /index/rebuild`: exactly one of `knowledgeBaseId` and `documentIds`. */
export class RebuildRequest {
  @IdField({ description: 'Rebuilds every document of this base.', example: '241865211904000000', optional: true })
  knowledgeBaseId?: string;

  @IdListField({
    description: 'Rebuilds these documents; repeats count once.',
    example: ['241865211904000002'],
    maxItems: 'documentIds',
    optional: true,
  })
  documentIds?: string[];

  @FlagField({
    description: 'Leaves out documents whose served version is up to date; false if absent.',
    example: true,
    optional: true,
  })
  onlyStale?: boolean;

  @TextField({
    description: 'Why, for people who look at the batch.',
    example: 'New embedding model',
    maxLength: 'titleLength',
    optional: true,
  })
  reason?: string;

  @IdField({ description: 'The person who asks; the system if absent.', example: '4711', optional: true })
  operatorId?: string;
}

/** Filter of `GET /batches/:batchId/items`. */
export class BatchItemsQuery {
  @ChoiceField({ description: 'Items in this state.', example: 'FAILED', options: itemStates, optional: true })
  status?: ItemState;
}
