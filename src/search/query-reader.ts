import type { TokenCounter } from '../chunking/token-counter.js';
import type { EmbeddingModel } from '../domain/build-spec.js';

/** Looks at queries as the embedding model does. */
export class QueryReader {
  /** Tokens that the model takes beside its own and those of the prefix. */
  private readonly budget: number;

  constructor(
    private readonly counter: TokenCounter,
    model: Pick<EmbeddingModel, 'maxTokens' | 'queryPrefix'>,
  ) {
    this.budget = model.maxTokens - counter.count(model.queryPrefix);
  }

  /** Share of the query's tokens that the model does not know, 0–1. */
  unknownShare(query: string): number {
    const { tokens, unknownTokens } = this.counter.map(query);
    return tokens === 0 ? 0 : unknownTokens / tokens;
  }

  /** The beginning of the query that fits the model's window, whole words only; all of it as a rule. */
  fit(query: string): string {
    const map = this.counter.map(query);
    if (map.count(0, query.length) <= this.budget) return query;
    const end = map.fit(0, query.length, this.budget);
    return query.slice(0, Math.max(end, 0));
  }
}
