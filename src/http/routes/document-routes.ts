import type { DeleteContent } from '../../builds/delete-content.js';
import type { ReadDocuments } from '../../documents/read-documents.js';
import type { ReceiveUpload } from '../../documents/receive-upload.js';
import type { Renewal, RenewDocument } from '../../documents/renew-document.js';
import type { StoredObject } from '../../documents/object-store.js';
import type { Language } from '../../domain/coded-value.js';
import type { Id, TenantId } from '../../domain/ids/id.js';
import { TaskPriority } from '../../domain/task/task-priority.js';
import type { ReadTasks } from '../../progress/read-tasks.js';
import { accepted, ok } from '../answer.js';
import { attachment } from '../content-disposition.js';
import {
  DeletionQuery,
  DocumentListQuery,
  NewSourceFields,
  ParseAgainRequest,
  RenewalQuery,
  UploadFields,
  UploadQuery,
} from '../requests/document-requests.js';
import { optionalJson, route, upload, type Route } from '../route.js';
import { documentView, DocumentView, DuplicateView, UploadedView } from '../views/document-view.js';
import { DeletedView } from '../views/deleted-view.js';
import { taskView } from '../views/task-view.js';
import { documentContentRoutes, type DocumentContents } from './document-content-routes.js';

export interface DocumentUseCases {
  readonly receiveUpload: Pick<ReceiveUpload, 'store' | 'discard' | 'receive'>;
  readonly renewDocument: Pick<RenewDocument, 'store' | 'discard' | 'replaceSource' | 'parseAgain'>;
  readonly deleteContent: Pick<DeleteContent, 'deleteDocument'>;
  readonly readDocuments: Pick<ReadDocuments, 'get' | 'list' | 'source'> & DocumentContents;
  readonly readTasks: Pick<ReadTasks, 'get'>;
}

const tag = 'Documents';

/** Uploading documents and reading what became of them. */
export function documentRoutes(useCases: DocumentUseCases): readonly Route[] {
  return [
    uploadRoute(useCases),
    ...renewalRoutes(useCases),
    deletionRoute(useCases),
    ...readingRoutes(useCases),
    ...documentContentRoutes(useCases.readDocuments),
  ];
}

function uploadRoute({ receiveUpload, readDocuments, readTasks }: DocumentUseCases): Route {
  return route({
    method: 'POST',
    path: '/documents',
    tag,
    summary: 'Upload a document',
    creates: true,
    description:
      'Stores the file and has it parsed. Bytes that are in the base already give the document that holds them, unless `allowDuplicate` is set. What is stored but cannot be read ends as PARSE_FAILED.',
    query: UploadQuery,
    body: upload<UploadFields, StoredObject>(UploadFields, receiveUpload),
    responses: {
      202: { description: 'The new document and the task that parses it.', shape: UploadedView },
      200: { description: 'The document that holds these bytes already.', shape: DuplicateView },
    },
    refusals: ['KNOWLEDGE_BASE_NOT_FOUND', 'STORAGE_UNAVAILABLE'],
    handle: async ({ tenantId, language, query, once, body: { fields, file } }) => {
      const upload = {
        tenantId,
        ...(fields.knowledgeBaseId ? { knowledgeBaseId: fields.knowledgeBaseId } : {}),
        ...(fields.title ? { title: fields.title } : {}),
        ...file,
        ...(query.encoding ? { encoding: query.encoding } : {}),
        allowDuplicate: query.allowDuplicate ?? false,
        priority: query.priority ?? TaskPriority.Interactive,
      };
      const received = await receiveUpload.receive(upload, once);
      const document = documentView(await readDocuments.get(tenantId, received.documentId), language);
      if (received.type === 'duplicate') return ok({ document, duplicateOf: received.documentId });
      const task = taskView(await readTasks.get(tenantId, received.taskId), language);
      return accepted({ document, task }, { Location: `/tasks/${received.taskId}` });
    },
  });
}

function renewalRoutes({ renewDocument, readDocuments, readTasks }: DocumentUseCases): readonly Route[] {
  const renewed = async (
    { tenantId, language }: { tenantId: TenantId; language: Language },
    documentId: Id,
    taskId: Id,
  ) => {
    const document = documentView(await readDocuments.get(tenantId, documentId), language);
    const task = taskView(await readTasks.get(tenantId, taskId), language);
    return accepted({ document, task }, { Location: `/tasks/${taskId}` });
  };
  return [
    route({
      method: 'PUT',
      path: '/documents/:documentId/source',
      tag,
      summary: 'Give a document another source',
      description:
        'The new source is parsed and gets a plan of its own. What is served stays until the new text is built.',
      query: RenewalQuery,
      body: upload<NewSourceFields, StoredObject>(NewSourceFields, renewDocument),
      responses: { 202: { description: 'The document and the task that parses it.', shape: UploadedView } },
      refusals: ['DOCUMENT_NOT_FOUND', 'TASK_IN_PROGRESS', 'STORAGE_UNAVAILABLE'],
      handle: async (request) => {
        const { tenantId, params, query, body } = request;
        const renewal = { tenantId, documentId: params.documentId, ...renewalOf(query) };
        return renewed(request, params.documentId, await renewDocument.replaceSource(renewal, body.file));
      },
    }),
    route({
      method: 'POST',
      path: '/documents/:documentId/parse',
      tag,
      summary: 'Parse a document again',
      creates: true,
      description: 'After a failure, with another encoding, or with a newer parser. What is served stays.',
      query: RenewalQuery,
      body: optionalJson(ParseAgainRequest),
      responses: { 202: { description: 'The document and the task that parses it.', shape: UploadedView } },
      refusals: ['DOCUMENT_NOT_FOUND', 'TASK_IN_PROGRESS'],
      handle: async (request) => {
        const { tenantId, params, query, body, once } = request;
        const operator = body.operatorId ? { operatorId: body.operatorId } : {};
        const renewal = { tenantId, documentId: params.documentId, ...renewalOf(query), ...operator };
        return renewed(request, params.documentId, await renewDocument.parseAgain(renewal, once));
      },
    }),
  ];
}

function deletionRoute({ deleteContent, readTasks }: DocumentUseCases): Route {
  return route({
    method: 'DELETE',
    path: '/documents/:documentId',
    tag,
    summary: 'Delete a document',
    description:
      'At any state. It is found nowhere from this moment; a task removes the rest. Its tasks stay readable.',
    query: DeletionQuery,
    responses: { 202: { description: 'The task that removes the rest.', shape: DeletedView } },
    refusals: ['DOCUMENT_NOT_FOUND'],
    handle: async ({ tenantId, params, query, language }) => {
      const taskId = await deleteContent.deleteDocument(tenantId, params.documentId, undefined, query.priority);
      const task = taskView(await readTasks.get(tenantId, taskId), language);
      return accepted({ task }, { Location: `/tasks/${taskId}` });
    },
  });
}

function renewalOf({
  cancelRunning = false,
  encoding,
  priority = TaskPriority.Interactive,
}: RenewalQuery): Pick<Renewal, 'cancelRunning' | 'encoding' | 'priority'> {
  return { cancelRunning, priority, ...(encoding ? { encoding } : {}) };
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

/** What was stored came from a client: only what is a plain media type goes into a header. */
function isMediaType(text: string): boolean {
  return /^[\w!#$&^.+-]{1,100}\/[\w!#$&^.+-]{1,100}(?:; ?charset=[\w-]+)?$/.test(text);
}
