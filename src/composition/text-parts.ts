import { JiebaSegmenter } from '../adapters/jieba/jieba-segmenter.js';
import { TransformersEmbedder } from '../adapters/transformers/transformers-embedder.js';
import { Chunker } from '../chunking/chunker.js';
import type { TokenCounter } from '../chunking/token-counter.js';
import { loadTokenCounter } from '../chunking/tokens/load-token-counter.js';
import type { AppConfig } from '../config/app-config.js';
import { AppError } from '../domain/errors.js';
import { StartRefusal } from '../domain/start-refusal.js';
import type { ChunkLimits } from '../domain/text/chunk.js';
import { findLocalModel, type LocalModel } from '../embedding/local-model.js';
import type { PlanTerms } from '../plans/plan-terms.js';
import type { Lifecycle } from './lifecycle.js';

/** What cutting, counting and embedding texts takes, for one embedding model. */
export interface TextParts {
  readonly local: LocalModel;
  readonly counter: TokenCounter;
  readonly terms: PlanTerms;
  readonly chunker: Chunker;
  readonly embedder: TransformersEmbedder;
  readonly segmenter: JiebaSegmenter;
}

/** Finds the configured model and joins what depends on it; nothing runs yet. @throws StartRefusal if it is not there. */
export async function findTextParts(config: AppConfig, lifecycle: Lifecycle): Promise<TextParts> {
  const local = await findLocalModel(config.embedding, config.tools.modelsDir).catch(refuse);
  const counter = await loadTokenCounter(local.folder).catch(refuse);
  const limits = chunkLimits(config, local, counter);
  return {
    local,
    counter,
    terms: { limits, maxSteps: config.http.planSteps, model: local.model },
    chunker: new Chunker({ modelFolder: local.folder, limits }, lifecycle.logger.child({ part: 'chunker' })),
    embedder: new TransformersEmbedder(local, config.embedding, lifecycle.logger.child({ part: 'embedder' })),
    segmenter: new JiebaSegmenter(),
  };
}

/** Starts the cutting thread and the embedding processes. @throws StartRefusal if the model cannot be loaded. */
export async function startTextParts({ chunker, embedder }: TextParts, lifecycle: Lifecycle): Promise<void> {
  lifecycle.add('chunker', () => chunker.stop());
  lifecycle.add('embedder', () => embedder.stop());
  await Promise.all([chunker.start(), embedder.start().catch(refuse)]);
}

/** A child and the prefix that the model wants before it fit the model's window together. */
function chunkLimits({ chunking }: AppConfig, { model }: LocalModel, counter: TokenCounter): ChunkLimits {
  const prefixTokens = counter.count(model.passagePrefix) - counter.specialTokens;
  return {
    PARENT: { maxTokens: chunking.parentTokens, maxChars: chunking.parentChars },
    CHILD: { maxTokens: model.maxTokens - prefixTokens, maxChars: chunking.childChars },
  };
}

function refuse(error: unknown): never {
  if (error instanceof AppError) throw new StartRefusal(error.message, { cause: error });
  throw error;
}
