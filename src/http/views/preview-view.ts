import type { PlanPreview } from '../../plans/preview-plan.js';
import { IdTextField } from '../fields/id-fields.js';
import { FlagField, IntegerField, NumberField } from '../fields/number-fields.js';
import { JsonObjectField, ObjectField, ObjectListField } from '../fields/structured-fields.js';
import { TextField } from '../fields/text-fields.js';
import { ChunkView, chunkView } from './chunk-view.js';
import { ChunkLimitsView } from './limits-view.js';

/** A stretch of text that no chunk holds. */
export class OmissionView {
  @IntegerField({ description: 'First code point.', example: 0, min: 0 })
  charStart!: number;

  @IntegerField({ description: 'Code point after the last.', example: 24, min: 1 })
  charEnd!: number;

  @TextField({ description: 'Why it is left out.', example: 'FRONT_MATTER' })
  reason!: string;
}

/** Proof that nothing is lost. */
export class CoverageView {
  @FlagField({
    description: 'Every non-blank character is in a parent and a child, or listed as omitted.',
    example: true,
  })
  complete!: boolean;

  @IntegerField({ description: 'Non-blank code points in a parent and in a child.', example: 18_000, min: 0 })
  coveredChars!: number;

  @IntegerField({ description: 'Non-blank code points that are omitted.', example: 0, min: 0 })
  omittedChars!: number;

  @ObjectListField({ description: 'What is omitted, and why.' }, () => OmissionView)
  omissions!: OmissionView[];
}

/** What embedding the children would take. */
export class EstimateView {
  @IntegerField({ description: 'Tokens to embed.', example: 21_300, min: 0 })
  embedTokens!: number;

  @IntegerField({ description: 'Calls of the embedding model.', example: 128, min: 0 })
  embedCalls!: number;

  @NumberField({ description: 'Price; absent where embedding costs nothing.', example: 0.02, min: 0, optional: true })
  costUsd?: number;

  @NumberField({ description: 'Time.', example: 1.2, min: 0 })
  seconds!: number;
}

/** A whole plan, carried out without storing anything. */
export class PreviewView {
  @IdTextField({ description: 'The plan.', example: '241865211904000003' })
  planId!: string;

  @IdTextField({ description: 'Its document.', example: '241865211904000002' })
  documentId!: string;

  @IntegerField({ description: 'The parsed text that was cut.', example: 1, min: 1 })
  textRevision!: number;

  @ObjectListField({ description: 'Parents in order.' }, () => ChunkView)
  parents!: ChunkView[];

  @ObjectListField({ description: 'Children in order.' }, () => ChunkView)
  children!: ChunkView[];

  @JsonObjectField({
    description: 'Counts, sizes and what was cut apart, by level.',
    example: { CHILD: { count: 128 } },
  })
  stats!: object;

  @ObjectField({ description: 'Proof that nothing is lost.' }, () => CoverageView)
  coverage!: CoverageView;

  @ObjectField({ description: 'What building it would take.' }, () => EstimateView)
  estimate!: EstimateView;

  @ObjectField({ description: 'Hard limits that held.' }, () => ChunkLimitsView)
  limits!: ChunkLimitsView;
}

export function previewView({ parents, children, coverage, ...plain }: PlanPreview): PreviewView {
  return {
    ...plain,
    parents: parents.map(chunkView),
    children: children.map(chunkView),
    coverage: { ...coverage, omissions: [...coverage.omissions] },
  };
}
