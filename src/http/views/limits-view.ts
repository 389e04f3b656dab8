import { IntegerField } from '../fields/number-fields.js';
import { ObjectField } from '../fields/structured-fields.js';

/** Hard limits of one level of chunks. */
export class LevelLimitsView {
  @IntegerField({ description: 'Most tokens of the embedding model.', example: 256, min: 1 })
  maxTokens!: number;

  @IntegerField({ description: 'Most code points.', example: 2_000, min: 1 })
  maxChars!: number;
}

/** Hard limits of chunks by level. */
export class ChunkLimitsView {
  @ObjectField({ description: 'Of parents.' }, () => LevelLimitsView)
  PARENT!: LevelLimitsView;

  @ObjectField({ description: 'Of children.' }, () => LevelLimitsView)
  CHILD!: LevelLimitsView;
}

/** Limits of the service, as configured. Lengths count code points. */
export class LimitsView {
  @IntegerField({ description: 'Largest upload, in bytes.', example: 104_857_600, min: 1 })
  uploadBytes!: number;

  @IntegerField({ description: 'Largest JSON body, in bytes.', example: 1_048_576, min: 1 })
  jsonBytes!: number;

  @IntegerField({ description: 'Longest title or name.', example: 500, min: 1 })
  titleLength!: number;

  @IntegerField({ description: 'Longest file name.', example: 255, min: 1 })
  fileNameLength!: number;

  @IntegerField({ description: 'Most steps of a plan.', example: 20, min: 1 })
  planSteps!: number;

  @IntegerField({ description: 'Longest list of ids in one request.', example: 10_000, min: 1 })
  documentIds!: number;

  @IntegerField({ description: 'Longest search query.', example: 2_000, min: 1 })
  queryLength!: number;

  @IntegerField({ description: 'Most hits of one search.', example: 100, min: 1 })
  topK!: number;

  @IntegerField({ description: 'Longest wait of a held answer.', example: 30_000, min: 0 })
  waitMs!: number;

  @IntegerField({ description: 'Largest page of a list.', example: 200, min: 1 })
  listLimit!: number;

  @ObjectField({ description: 'Hard limits of chunks.' }, () => ChunkLimitsView)
  chunk!: ChunkLimitsView;
}
