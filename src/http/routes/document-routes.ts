import type { ReadDocuments } from '../../documents/read-documents.js';
import type { ReceiveUpload } from '../../documents/receive-upload.js';
import type { StoredObject } from '../../documents/object-store.js';
import { Level } from '../../domain/plan/strategy.js';
import type { ReadTasks } from '../../progress/read-tasks.js';
import { accepted, ok } from '../answer.js';
import { attachment } from '../content-disposition.js';
import {
  BlockQuery,
  ChunkQuery,
  DocumentListQuery,
  TextQuery,
  UploadFields,
  UploadQuery,
} from '../requests/document-requests.js';
import { route, upload, type Route } from '../route.js';
import { ChunkListHead, ChunkView, chunkView } from '../views/chunk-view.js';
import { documentView, DocumentView, DuplicateView, UploadedView } from '../views/document-view.js';
import { taskView } from '../views/task-view.js';
import { BlockListHead, BlockView, blockView, TextView } from '../views/text-view.js';

export interface DocumentUseCases {
  readonly receiveUpload: Pick<ReceiveUpload, 'store' | 'discard' | 'receive'>;
  readonly readDocuments: Pick<ReadDocuments, 'get' | 'list' | 'text' | 'blocks' | 'source' | 'listChunks'>;
  readonly readTasks: Pick<ReadTasks, 'get'>;
}

const tag = 'Documents';

/** Uploading documents and reading what became of them. */
export function documentRoutes(useCases: DocumentUseCases): readonly Route[] {
  return [uploadRoute(useCases), ...readingRoutes(useCases), ...contentRoutes(useCases)];
}

function uploadRoute({ receiveUpload, readDocuments, readTasks }: DocumentUseCases): Route {
  return route({
    method: 'POST',
    path: '/documents',
    tag,
    summary: 'Upload a document',
    description:
      'Stores the file and has it parsed. Bytes that are in the base already give the document that holds them, unless `allowDuplicate` is set. What is stored but cannot be read ends as PARSE_FAILED.',
    query: UploadQuery,
    body: upload<UploadFields, StoredObject>(UploadFields, receiveUpload),
    responses: {
      202: { description: 'The new document and the task that parses it.', shape: UploadedView },
      200: { description: 'The document that holds these bytes already.', shape: DuplicateView },
    },
    refusals: ['KNOWLEDGE_BASE_NOT_FOUND', 'STORAGE_UNAVAILABLE'],
    handle: async ({ tenantId, language, query, body: { fields, file } }) => {
      const received = await receiveUpload.receive({
        tenantId,
        ...(fields.knowledgeBaseId ? { knowledgeBaseId: fields.knowledgeBaseId } : {}),
        ...(fields.title ? { title: fields.title } : {}),
        ...file,
        ...(query.encoding ? { encoding: query.encoding } : {}),
        allowDuplicate: query.allowDuplicate ?? false,
      });
      const document = documentView(await readDocuments.get(tenantId, received.documentId), language);
      if (received.type === 'duplicate') return ok({ document, duplicateOf: received.documentId });
      const task = taskView(await readTasks.get(tenantId, received.taskId), language);
      return accepted({ document, task }, { Location: `/tasks/${received.taskId}` });
    },
  });
}

function readingRoutes({ readDocuments }: DocumentUseCases): readonly Route[] {
  return [
    route({
      method: 'GET',
      path: '/documents',
      tag,
      summary: 'List documents, newest first',
      list: 'id',
      query: DocumentListQuery,
      responses: { 200: { description: 'A page of documents.', items: DocumentView } },
      handle: async (request) => {
        const page = await readDocuments.list(request.tenantId, request.query, request.page);
        return ok(request.pageView(page, (document) => documentView(document, request.language)));
      },
    }),
    route({
      method: 'GET',
      path: '/documents/:documentId',
      tag,
      summary: 'Look at a document',
      responses: { 200: { description: 'The document.', shape: DocumentView } },
      refusals: ['DOCUMENT_NOT_FOUND'],
      handle: async ({ tenantId, params, language }) =>
        ok(documentView(await readDocuments.get(tenantId, params.documentId), language)),
    }),
    route({
      method: 'GET',
      path: '/documents/:documentId/source',
      tag,
      summary: 'The uploaded file, byte for byte',
      responses: { 200: { description: 'The bytes, to be saved under their own name.' } },
      refusals: ['DOCUMENT_NOT_FOUND', 'SOURCE_UNREADABLE'],
      handle: async ({ tenantId, params }) => {
        const { stream, fileName, mediaType, sizeBytes } = await readDocuments.source(tenantId, params.documentId);
        return {
          status: 200,
          stream,
          headers: {
            'Content-Type': isMediaType(mediaType) ? mediaType : 'application/octet-stream',
            'Content-Length': String(sizeBytes),
            'Content-Disposition': attachment(fileName),
          },
        };
      },
    }),
  ];
}

function contentRoutes({ readDocuments }: DocumentUseCases): readonly Route[] {
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

/** What was stored came from a client: only what is a plain media type goes into a header. */
function isMediaType(text: string): boolean {
  return /^[\w!#$&^.+-]{1,100}\/[\w!#$&^.+-]{1,100}(?:; ?charset=[\w-]+)?$/.test(text);
}
