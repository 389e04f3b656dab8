import type { ParamDescriptor, StrategyDescriptor } from '../../chunking/strategy-catalogue.js';
import { describe, type Language } from '../../domain/coded-value.js';
import { levels, strategyTable } from '../../domain/plan/strategy.js';
import { FlagField, IntegerField } from '../fields/number-fields.js';
import { AnyField, ObjectField, ObjectListField } from '../fields/structured-fields.js';
import { TextField, TextListField } from '../fields/text-fields.js';

/** Default and bounds of a parameter; of a list, the bounds count its entries. */
export class ParamBoundsView {
  @AnyField({ description: 'What applies where it is not given.', example: 256 })
  default!: unknown;

  @IntegerField({ description: 'Least value, or fewest entries.', example: 8, min: 0, optional: true })
  min?: number;

  @IntegerField({ description: 'Greatest value, or most entries.', example: 256, min: 0, optional: true })
  max?: number;
}

/** The bounds of a parameter on each level. */
export class LevelBoundsView {
  @ObjectField({ description: 'For steps that cut parents.' }, () => ParamBoundsView)
  PARENT!: ParamBoundsView;

  @ObjectField({ description: 'For steps that cut children.' }, () => ParamBoundsView)
  CHILD!: ParamBoundsView;
}

/** One parameter of a strategy. */
export class ParamView extends ParamBoundsView {
  @TextField({ description: 'Its name in a step.', example: 'maxTokens' })
  name!: string;

  @TextField({ description: 'integer, choice or texts.', example: 'integer' })
  type!: string;

  @TextListField({ description: 'What a choice may be.', example: ['START', 'END'], optional: true })
  choices?: string[];

  @TextField({ description: 'What it does, in the language of Accept-Language.', example: 'Most tokens of a piece.' })
  description!: string;

  @ObjectField(
    { description: 'Default and bounds by level; those above are of the usual level.' },
    () => LevelBoundsView,
  )
  byLevel!: LevelBoundsView;
}

/** A way to cut a text. */
export class StrategyView {
  @IntegerField({ description: 'Its code.', example: 2, min: 1 })
  code!: number;

  @TextField({ description: 'Its name.', example: 'RECURSIVE' })
  name!: string;

  @TextField({
    description: 'What it does, in the language of Accept-Language.',
    example: 'Cuts along separators, coarse to fine',
  })
  description!: string;

  @TextListField({ description: 'The levels it can cut.', example: levels })
  levels!: string[];

  @ObjectListField({ description: 'Its parameters.' }, () => ParamView)
  params!: ParamView[];

  @FlagField({ description: 'Whether it can be used here.', example: true })
  available!: boolean;

  @TextField({ description: 'Why it cannot.', example: 'This version connects to no chat model.', optional: true })
  unavailableReason?: string;
}

export function strategyView(strategy: StrategyDescriptor, language: Language): StrategyView {
  const { unavailableReason } = strategy;
  return {
    ...describe(strategyTable, strategy.code, language),
    levels: [...strategy.levels],
    params: strategy.params.map((param) => paramView(param, language)),
    available: strategy.available,
    ...(unavailableReason ? { unavailableReason: unavailableReason[language] } : {}),
  };
}

function paramView({ choices, description, ...param }: ParamDescriptor, language: Language): ParamView {
  return { ...param, ...(choices ? { choices: [...choices] } : {}), description: description[language] };
}
