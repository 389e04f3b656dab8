import type { LocalModel } from '../../embedding/local-model.js';

/** What an embedding process needs before its first request. */
export type EmbeddingInit = LocalModel;

/** Texts to embed, prefixes included. The response is one array with the vectors one after the other. */
export interface EmbeddingRequest {
  readonly texts: readonly string[];
}
