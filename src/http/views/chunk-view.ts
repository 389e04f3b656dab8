import type { ChunkRow } from '../../database/repositories/chunk-read-repository.js';
import { levels } from '../../domain/plan/strategy.js';
import type { PreviewChunk } from '../../plans/preview-plan.js';
import { IdTextField } from '../fields/id-fields.js';
import { FlagField, IntegerField, IntegerListField } from '../fields/number-fields.js';
import { ObjectField } from '../fields/structured-fields.js';
import { ChoiceField, TextField, TextListField } from '../fields/text-fields.js';

/** What helps to read a chunk but is not part of its slice. */
export class ChunkContextView {
  @TextField({ description: 'Header of the table that its rows belong to.', example: '| a | b |', optional: true })
  tableHeader?: string;
}

/** A piece of a parsed text. Offsets count code points, half open. */
export class ChunkView {
  @IdTextField({ description: 'Id of the chunk; absent in a preview.', example: '241865211904000007', optional: true })
  chunkId?: string;

  @ChoiceField({ description: 'Parents are read, children are found.', example: 'CHILD', options: levels })
  level!: string;

  @IntegerField({ description: 'Position among the chunks of its level, from 0.', example: 0, min: 0 })
  ordinal!: number;

  @IntegerField({ description: 'The parent that holds it; absent on parents.', example: 0, min: 0, optional: true })
  parentOrdinal?: number;

  @IntegerField({ description: 'First code point.', example: 0, min: 0 })
  charStart!: number;

  @IntegerField({ description: 'Code point after the last.', example: 480, min: 1 })
  charEnd!: number;

  @TextField({
    description: 'Exactly that slice; in a preview only if asked for.',
    example: 'Handbook',
    optional: true,
  })
  text?: string;

  @IntegerField({ description: 'Tokens of the embedding model, special ones included.', example: 120, min: 1 })
  tokens!: number;

  @IntegerField({ description: 'Code points shared with the chunk before it.', example: 0, min: 0 })
  overlapStart!: number;

  @TextListField({ description: 'Headings above it, outermost first.', example: ['Handbook', 'Start'] })
  headingPath!: string[];

  @ObjectField({ description: 'What helps to read it.', optional: true }, () => ChunkContextView)
  context?: ChunkContextView;

  @TextField({ description: 'The rule that made its end.', example: 'STRUCTURE:heading' })
  rule!: string;

  @FlagField({ description: 'A hard limit cut inside what the rule would keep whole.', example: true, optional: true })
  forced?: boolean;

  @IntegerListField({ description: 'Pages it lies on.', example: [1], optional: true })
  pages?: number[];
}

/** What stands beside the chunks of a page. */
export class ChunkListHead {
  @IntegerField({
    description: 'The served version; null while nothing is served.',
    example: 1,
    min: 1,
    nullable: true,
  })
  version!: number | null;

  @IntegerField({ description: 'The parsed text it was cut from.', example: 1, min: 1, nullable: true })
  textRevision!: number | null;
}

/** Gives a stored or previewed chunk the form of the API: what it has not is absent. */
export function chunkView(chunk: ChunkRow | PreviewChunk): ChunkView {
  const { level, ordinal, parentOrdinal, charStart, charEnd, text, tokens, overlapStart, headingPath } = chunk;
  return {
    ...('chunkId' in chunk ? { chunkId: chunk.chunkId } : {}),
    level,
    ordinal,
    ...(parentOrdinal === null || parentOrdinal === undefined ? {} : { parentOrdinal }),
    charStart,
    charEnd,
    ...(text === undefined ? {} : { text }),
    tokens,
    overlapStart,
    headingPath: [...headingPath],
    ...(chunk.context ? { context: chunk.context } : {}),
    rule: chunk.rule,
    ...(chunk.forced ? { forced: true } : {}),
    ...(chunk.pages ? { pages: [...chunk.pages] } : {}),
  };
}
