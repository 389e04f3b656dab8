import type { NumberedBlock } from '../../database/repositories/document-text-repository.js';
import { blockTypes } from '../../domain/text/block.js';
import { IntegerField } from '../fields/number-fields.js';
import { ChoiceField, TextField } from '../fields/text-fields.js';

/** A range of a parsed text. */
export class TextView {
  @TextField({ description: 'The range that was asked for.', example: 'Handbook' })
  text!: string;

  @IntegerField({ description: 'Code points of the whole text.', example: 20_000, min: 0 })
  length!: number;

  @IntegerField({ description: 'Which parsed text this is.', example: 1, min: 1 })
  revision!: number;
}

/** One structural piece of a parsed text. */
export class BlockView {
  @ChoiceField({ description: 'What it is.', example: 'heading', options: blockTypes })
  type!: string;

  @IntegerField({ description: 'Level of a heading, or depth of a list item.', example: 2, min: 1, optional: true })
  depth?: number;

  @IntegerField({ description: 'First code point.', example: 0, min: 0 })
  charStart!: number;

  @IntegerField({ description: 'Code point after the last.', example: 10, min: 0 })
  charEnd!: number;

  @IntegerField({ description: 'Page, slide or sheet, from 1.', example: 1, min: 1, optional: true })
  page?: number;
}

/** What stands beside the blocks of a page. */
export class BlockListHead {
  @IntegerField({ description: 'Which parsed text they belong to.', example: 1, min: 1 })
  revision!: number;
}

export function blockView({ type, depth, charStart, charEnd, page }: NumberedBlock): BlockView {
  return {
    type,
    ...(depth === undefined ? {} : { depth }),
    charStart,
    charEnd,
    ...(page === undefined ? {} : { page }),
  };
}
