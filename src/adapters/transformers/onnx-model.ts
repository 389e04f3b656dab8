import { createRequire } from 'node:module';
import { join } from 'node:path';
import type * as OnnxRuntime from 'onnxruntime-node';
import type { InferenceSession, Tensor } from 'onnxruntime-node';
import { AppError } from '../../domain/errors.js';
import type { Vector } from '../../embedding/embedder.js';
import type { LocalModel } from '../../embedding/local-model.js';
import { PlainTokenizer } from './plain-tokenizer.js';
import { poolStates } from './pool-states.js';

/** The runtime that the tokenizer's own library brings: two versions of it in one process crash. */
const fromHere = createRequire(import.meta.url);
const runtime = createRequire(fromHere.resolve('@xenova/transformers'))('onnxruntime-node') as typeof OnnxRuntime;

/**
 * A sentence embedding model on the CPU, in this process, on one thread. It computes one text a run, without padding:
 * a quantised model scales its numbers by all that is in a run, so that neighbours or padding would change the vector.
 */
export class OnnxModel {
  private constructor(
    private readonly local: LocalModel,
    private readonly tokenizer: PlainTokenizer,
    private readonly session: InferenceSession,
  ) {}

  /** Loads the model and computes one text with it. @throws AppError MODEL_NOT_AVAILABLE */
  static async load(local: LocalModel): Promise<OnnxModel> {
    try {
      const tokenizer = await PlainTokenizer.load(local.folder);
      const session = await runtime.InferenceSession.create(join(local.folder, local.weights), {
        intraOpNumThreads: 1,
        interOpNumThreads: 1,
      });
      const model = new OnnxModel(local, tokenizer, session);
      await model.embed('a');
      return model;
    } catch (cause) {
      const { id } = local.model;
      const message = `The embedding model ${id} cannot be loaded.${cause instanceof AppError ? ` ${cause.message}` : ''}`;
      throw new AppError('MODEL_NOT_AVAILABLE', message, { model: id }, { cause });
    }
  }

  /**
   * The vector of a text, of length 1.
   *
   * @throws AppError CHUNK_LIMIT if the text has more tokens than the model takes, EMBEDDING_FAILED, EMBEDDING_INVALID
   */
  async embed(text: string): Promise<Vector> {
    const { maxTokens, dimension, pooling } = this.local.model;
    const tokens = this.tokenizer.encode(text);
    if (tokens.length > maxTokens) {
      const message = `A text has ${tokens.length} tokens, and the embedding model takes at most ${maxTokens}.`;
      throw new AppError('CHUNK_LIMIT', message, { tokens: tokens.length, maxTokens });
    }
    const states = await this.run(tokens);
    const width = states.dims[2] ?? 0;
    if (states.dims[1] !== tokens.length || width !== dimension) {
      const message = `The model gives vectors of ${width} numbers, and its configuration says ${dimension}.`;
      throw new AppError('EMBEDDING_INVALID', message, { dimension: width, expected: dimension });
    }
    return poolStates(states.data as Float32Array, dimension, pooling);
  }

  /** The last hidden state, `[1, tokens, dimension]`. */
  private async run(tokens: readonly number[]): Promise<Tensor> {
    const dims = [1, tokens.length];
    const inputs: Record<string, () => BigInt64Array> = {
      input_ids: () => BigInt64Array.from(tokens, BigInt),
      attention_mask: () => new BigInt64Array(tokens.length).fill(1n),
      token_type_ids: () => new BigInt64Array(tokens.length),
    };
    const feeds: Record<string, Tensor> = {};
    for (const name of this.session.inputNames) {
      const data = inputs[name];
      if (data) feeds[name] = new runtime.Tensor('int64', data(), dims);
    }
    try {
      const outputs = await this.session.run(feeds);
      const states = outputs['last_hidden_state'] ?? outputs['token_embeddings'];
      if (states) return states;
    } catch (cause) {
      throw new AppError('EMBEDDING_FAILED', 'The embedding model could not compute a text.', {}, { cause });
    }
    throw new AppError('EMBEDDING_INVALID', 'The model gives no last_hidden_state.');
  }
}
