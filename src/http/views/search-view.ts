import type { SearchAnswer, SearchHit } from '../../search/search-chunks.js';
import { IdTextField } from '../fields/id-fields.js';
import { IntegerField, NumberField } from '../fields/number-fields.js';
import { ObjectField, ObjectListField } from '../fields/structured-fields.js';
import { TextField, TextListField } from '../fields/text-fields.js';
import { ChunkContextView } from './chunk-view.js';

/** How each half of the search judged a hit. */
export class ScoresView {
  @NumberField({ description: 'Likeness of meaning.', example: 0.71, min: 0, max: 1, optional: true })
  vector?: number;

  @NumberField({ description: 'Likeness of words.', example: 0.4, min: 0, max: 1, optional: true })
  text?: number;
}

/** The parent of a hit. */
export class HitParentView {
  @IdTextField({ description: 'Id of the chunk.', example: '241865211904000006' })
  chunkId!: string;

  @IntegerField({ description: 'Position among the parents.', example: 0, min: 0 })
  ordinal!: number;

  @TextField({ description: 'Its text.', example: 'Grease the pump every Thursday. Use the blue tin.' })
  text!: string;

  @IntegerField({ description: 'First code point.', example: 0, min: 0 })
  charStart!: number;

  @IntegerField({ description: 'Code point after the last.', example: 480, min: 1 })
  charEnd!: number;

  @TextListField({ description: 'Headings above it.', example: ['Handbook'] })
  headingPath!: string[];
}

/** A child that was found. */
export class HitView {
  @IdTextField({ description: 'Id of the chunk; see `GET /chunks/:chunkId/explain`.', example: '241865211904000007' })
  chunkId!: string;

  @IdTextField({ description: 'Its document.', example: '241865211904000002' })
  documentId!: string;

  @TextField({ description: 'Title of the document.', example: 'Pump handbook' })
  title!: string;

  @IntegerField({ description: 'Position among the children.', example: 3, min: 0 })
  ordinal!: number;

  @TextField({ description: 'Its text.', example: 'Grease the pump every Thursday.' })
  text!: string;

  @IntegerField({ description: 'First code point.', example: 120, min: 0 })
  charStart!: number;

  @IntegerField({ description: 'Code point after the last.', example: 151, min: 1 })
  charEnd!: number;

  @TextListField({ description: 'Headings above it.', example: ['Handbook'] })
  headingPath!: string[];

  @ObjectField({ description: 'What helps to read it.', optional: true }, () => ChunkContextView)
  context?: ChunkContextView;

  @NumberField({ description: 'How good it is, in every mode.', example: 0.83, min: 0, max: 1 })
  score!: number;

  @ObjectField({ description: 'How each half judged it.' }, () => ScoresView)
  scores!: ScoresView;

  @ObjectField({ description: 'Its parent, if asked for.', optional: true }, () => HitParentView)
  parent?: HitParentView;
}

/** The answer to a search, best hit first. */
export class SearchView {
  @ObjectListField({ description: 'What was found.' }, () => HitView)
  hits!: HitView[];

  @NumberField({ description: 'Time it took, in ms.', example: 12.4, min: 0 })
  tookMs!: number;

  @TextField({ description: 'Embedding model of the vectors.', example: 'all-MiniLM-L6-v2' })
  modelId!: string;

  @TextField({ description: 'Why only words were searched.', example: 'MODEL_CANNOT_READ_QUERY', optional: true })
  vectorSkipped?: string;
}

export function searchView({ hits, ...answer }: SearchAnswer): SearchView {
  return { ...answer, hits: hits.map(hitView) };
}

function hitView({ headingPath, ...hit }: SearchHit): HitView {
  return { ...hit, headingPath: [...headingPath] };
}
