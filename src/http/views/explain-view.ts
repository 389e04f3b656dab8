import { describe, type Language } from '../../domain/coded-value.js';
import { levels, Strategy, strategyTable, type PlanStep } from '../../domain/plan/strategy.js';
import type { ChunkExplanation } from '../../search/explain-chunk.js';
import { IdTextField } from '../fields/id-fields.js';
import { FlagField, IntegerField } from '../fields/number-fields.js';
import { CodedField, JsonObjectField, ObjectField, ObjectListField } from '../fields/structured-fields.js';
import { ChoiceField, TextField } from '../fields/text-fields.js';
import { ChunkView, chunkView } from './chunk-view.js';
import type { CodedView } from './coded-view.js';

/** A step that a build carried out. */
export class ExecutedStepView {
  @ChoiceField({ description: 'The size of chunk it cuts.', example: 'CHILD', options: levels })
  level!: string;

  @CodedField({ description: 'How it cuts.', table: strategyTable, example: Strategy.Recursive })
  strategy!: CodedView;

  @JsonObjectField({ description: 'Its parameters.', example: { maxTokens: 256 } })
  params!: object;
}

/** The chunk's place in its source, with what stands around it. */
export class SurroundingView {
  @IntegerField({ description: 'First code point shown.', example: 0, min: 0 })
  charStart!: number;

  @IntegerField({ description: 'Code point after the last shown.', example: 780, min: 0 })
  charEnd!: number;

  @TextField({ description: 'The parsed text there.', example: 'Handbook. Grease the pump every Thursday.' })
  text!: string;
}

/** The model of the chunk's vector. */
export class ModelView {
  @TextField({ description: 'Id of the model.', example: 'all-MiniLM-L6-v2' })
  id!: string;

  @IntegerField({ description: 'Numbers in a vector.', example: 384, min: 1 })
  dimension!: number;

  @IntegerField({ description: 'Longest text it takes, in tokens.', example: 256, min: 1 })
  maxTokens!: number;
}

/** Where a chunk came from. */
export class ExplainView {
  @ObjectField({ description: 'The chunk.' }, () => ChunkView)
  chunk!: ChunkView;

  @IdTextField({ description: 'Its document.', example: '241865211904000002' })
  documentId!: string;

  @ObjectField({ description: 'Its parent; absent for a parent.', optional: true }, () => ChunkView)
  parent?: ChunkView;

  @CodedField({
    description: 'The strategy that cut it; absent where only a hard limit did.',
    table: strategyTable,
    example: Strategy.Recursive,
    optional: true,
  })
  strategy?: CodedView;

  @TextField({ description: 'The rule that made its end.', example: 'RECURSIVE:\\n\\n' })
  rule!: string;

  @JsonObjectField({ description: 'Parameters of that strategy.', example: { maxTokens: 256 } })
  params!: object;

  @ObjectListField({ description: 'All steps of its level, in order.' }, () => ExecutedStepView)
  steps!: ExecutedStepView[];

  @ObjectField({ description: 'What stands around it.' }, () => SurroundingView)
  source!: SurroundingView;

  @IdTextField({ description: 'The task that wrote it.', example: '241865211904000001' })
  taskId!: string;

  @IdTextField({ description: 'The plan it follows.', example: '241865211904000003' })
  planId!: string;

  @TextField({ description: 'Strategies of the plan in short form.', example: 'PARENT:1;CHILD:2' })
  strategySnapshot!: string;

  @ObjectField({ description: 'The model of its vector.' }, () => ModelView)
  model!: ModelView;

  @IntegerField({ description: 'The index version it is in.', example: 1, min: 1 })
  version!: number;

  @IntegerField({ description: 'The parsed text it was cut from.', example: 1, min: 1 })
  textRevision!: number;

  @FlagField({ description: 'Whether that version is the one that is searched.', example: true })
  served!: boolean;
}

export function explainView(explanation: ChunkExplanation, language: Language): ExplainView {
  const { chunk, parent, step, steps, model, ...plain } = explanation;
  return {
    ...plain,
    chunk: chunkView(chunk),
    ...(parent ? { parent: chunkView(parent) } : {}),
    ...(step ? { strategy: describe(strategyTable, step.strategy, language) } : {}),
    rule: chunk.rule,
    params: step?.params ?? {},
    steps: steps.map((each) => stepView(each, language)),
    model: { id: model.id, dimension: model.dimension, maxTokens: model.maxTokens },
  };
}

function stepView({ level, strategy, params }: PlanStep, language: Language): ExecutedStepView {
  return { level, strategy: describe(strategyTable, strategy, language), params };
}
