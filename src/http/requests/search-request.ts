import { searchModes, type SearchMode } from '../../search/search-chunks.js';
import { IdListField } from '../fields/id-fields.js';
import { FlagField, IntegerField, NumberField } from '../fields/number-fields.js';
import { ChoiceField, TextField } from '../fields/text-fields.js';

/** Body of `POST /search`. */
export class SearchRequest {
  @TextField({
    description: 'What is looked for, as a person types it; nothing in it is an operator.',
    example: 'How often is the pump greased?',
    minLength: 1,
    maxLength: 'queryLength',
  })
  query!: string;

  @IdListField({
    description: 'Bases to search; all if absent.',
    example: ['241865211904000000'],
    maxItems: 'documentIds',
    optional: true,
  })
  knowledgeBaseIds?: string[];

  @IdListField({
    description: 'Documents to search; all if absent.',
    example: ['241865211904000002'],
    maxItems: 'documentIds',
    optional: true,
  })
  documentIds?: string[];

  @IntegerField({
    description: 'Most hits; 10 if absent. Counts parents where they are asked for.',
    example: 10,
    min: 1,
    max: 'topK',
    optional: true,
  })
  topK?: number;

  @ChoiceField({
    description: 'By meaning, by words, or both (if absent).',
    example: 'HYBRID',
    options: searchModes,
    optional: true,
  })
  mode?: SearchMode;

  @FlagField({ description: 'Gives each hit its parent, and one hit per parent.', example: true, optional: true })
  withParent?: boolean;

  @NumberField({ description: 'Least score of a hit.', example: 0.2, min: 0, max: 1, optional: true })
  minScore?: number;
}
