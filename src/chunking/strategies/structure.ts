import { Packer } from '../breaks/packer.js';
import { UnitBreaks } from '../breaks/unit-breaks.js';
import type { Unit } from '../outline/unit.js';
import type { SourceText } from '../source-text.js';
import { integerParam } from '../step-params.js';
import type { CutStrategy, StepSetting } from './cut-strategy.js';
import { joinSections, sectionTree } from './section-tree.js';

const headingRule = 'STRUCTURE:heading';

/**
 * Cuts before headings. Small sections are joined under the heading that they share; a section that is too large is cut
 * between its blocks, and a block that is too large stays whole.
 */
export const cutByStructure: CutStrategy = (piece, setting) => {
  const { source, room, params } = setting;
  const sections = joinSections(sectionTree(source, piece, integerParam(params, 'headingDepth')), {
    tokens: (range) => source.tokens.count(range.start, range.end),
    fits: (range) => source.fits(source.trim(range), room),
    least: integerParam(params, 'minTokens'),
  });
  const packer = packerOfBlocks(setting);
  return sections.flatMap(({ start, end }) => packer.pack({ start, end }, end < piece.end ? headingRule : piece.rule));
};

function packerOfBlocks({ source, room, params }: StepSetting): Packer {
  const before = (rule: string, picks: (unit: Unit, before: Unit) => boolean): UnitBreaks =>
    new UnitBreaks(source.outline, `STRUCTURE:${rule}`, picks);
  const continuesList = (unit: Unit, previous: Unit): boolean =>
    unit.type === 'listItem' && (previous.type === 'listItem' || isInsideList(source, previous));
  return new Packer(source, {
    room,
    least: integerParam(params, 'minTokens'),
    breaks: [
      before('heading', (unit) => unit.type === 'heading'),
      before('block', (unit, previous) => !continuesList(unit, previous)),
      before('item', (unit) => unit.depth <= 1),
      before('nested item', () => true),
    ],
  });
}

/** Code and tables of a list item are blocks of their own, and are indented. */
function isInsideList({ text }: SourceText, unit: Unit): boolean {
  return (unit.type === 'code' || unit.type === 'table') && text[unit.contentStart - 1] === ' ';
}
