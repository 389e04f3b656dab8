import type { ExplainChunk } from '../../search/explain-chunk.js';
import type { SearchChunks } from '../../search/search-chunks.js';
import { ok } from '../answer.js';
import { SearchRequest } from '../requests/search-request.js';
import { json, route, type Route } from '../route.js';
import { ExplainView, explainView } from '../views/explain-view.js';
import { SearchView, searchView } from '../views/search-view.js';

export interface SearchUseCases {
  readonly searchChunks: Pick<SearchChunks, 'search'>;
  readonly explainChunk: Pick<ExplainChunk, 'explain'>;
}

const tag = 'Searching';
const usualTopK = 10;

/** Finding chunks, and saying where one came from. */
export function searchRoutes({ searchChunks, explainChunk }: SearchUseCases): readonly Route[] {
  return [
    route({
      method: 'POST',
      path: '/search',
      tag,
      summary: 'Search the served versions',
      body: json(SearchRequest),
      responses: { 200: { description: 'The best hits first.', shape: SearchView } },
      refusals: ['KNOWLEDGE_BASE_NOT_FOUND', 'EMBEDDING_FAILED'],
      handle: async ({ tenantId, body }) => {
        const { query, knowledgeBaseIds, documentIds, topK, mode, withParent, minScore } = body;
        const answer = await searchChunks.search({
          tenantId,
          query,
          ...(knowledgeBaseIds ? { knowledgeBaseIds } : {}),
          ...(documentIds ? { documentIds } : {}),
          topK: topK ?? usualTopK,
          mode: mode ?? 'HYBRID',
          withParent: withParent ?? false,
          ...(minScore === undefined ? {} : { minScore }),
        });
        return ok(searchView(answer));
      },
    }),
    route({
      method: 'GET',
      path: '/chunks/:chunkId/explain',
      tag,
      summary: 'Where a chunk came from',
      responses: { 200: { description: 'Rule, step, parent, source, build.', shape: ExplainView } },
      refusals: ['CHUNK_NOT_FOUND'],
      handle: async ({ tenantId, params, language }) =>
        ok(explainView(await explainChunk.explain(tenantId, params.chunkId), language)),
    }),
  ];
}
