import type { ReadDocuments } from '../../documents/read-documents.js';
import { Level } from '../../domain/plan/strategy.js';
import { ok } from '../answer.js';
import { BlockQuery, ChunkQuery, TextQuery } from '../requests/document-requests.js';
import { route, type Route } from '../route.js';
import { ChunkListHead, ChunkView, chunkView } from '../views/chunk-view.js';
import { BlockListHead, BlockView, blockView, TextView } from '../views/text-view.js';

export type DocumentContents = Pick<ReadDocuments, 'text' | 'blocks' | 'listChunks'>;

const tag = 'Documents';

/** Reading what was made of a document: its text, the structure of it, and its chunks. */
export function documentContentRoutes(readDocuments: DocumentContents): readonly Route[] {
  return [
    route({
      method: 'GET',
      path: '/documents/:documentId/text',
      tag,
      summary: 'The parsed text, or a range of it',
      query: TextQuery,
      responses: { 200: { description: 'The range; half open, in code points.', shape: TextView } },
      refusals: ['DOCUMENT_NOT_FOUND', 'TEXT_NOT_AVAILABLE'],
      handle: async ({ tenantId, params, query }) => {
        const { text, length, revision } = await readDocuments.text(tenantId, params.documentId, query);
        return ok({ text, length, revision });
      },
    }),
    route({
      method: 'GET',
      path: '/documents/:documentId/blocks',
      tag,
      summary: 'The structure of the parsed text',
      list: 'ordinal',
      query: BlockQuery,
      responses: { 200: { description: 'A page of blocks, in order.', items: BlockView, shape: BlockListHead } },
      refusals: ['DOCUMENT_NOT_FOUND', 'TEXT_NOT_AVAILABLE'],
      handle: async (request) => {
        const { tenantId, params, query } = request;
        const page = await readDocuments.blocks(tenantId, params.documentId, query.revision, request.page);
        return ok({ ...request.pageView(page, blockView), revision: page.revision });
      },
    }),
    route({
      method: 'GET',
      path: '/documents/:documentId/chunks',
      tag,
      summary: 'The chunks of the served version',
      list: 'ordinal',
      query: ChunkQuery,
      responses: { 200: { description: 'A page of chunks, in order.', items: ChunkView, shape: ChunkListHead } },
      refusals: ['DOCUMENT_NOT_FOUND'],
      handle: async (request) => {
        const { tenantId, params, query } = request;
        const level = query.level ?? Level.Child;
        const page = await readDocuments.listChunks(tenantId, params.documentId, level, request.page);
        return ok({ ...request.pageView(page, chunkView), version: page.version, textRevision: page.textRevision });
      },
    }),
  ];
}
