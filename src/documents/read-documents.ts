import type { Readable } from 'node:stream';
import type { ChunkReadRepository, ChunkPage } from '../database/repositories/chunk-read-repository.js';
import type { DocumentFilter, DocumentRepository } from '../database/repositories/document-repository.js';
import type {
  DocumentTextRepository,
  NumberedBlock,
  TextRange,
} from '../database/repositories/document-text-repository.js';
import type { DocumentView } from '../database/repositories/document-view.js';
import { AppError } from '../domain/errors.js';
import type { Id, TenantId } from '../domain/ids/id.js';
import type { Page, PageRequest } from '../domain/page.js';
import type { Level } from '../domain/plan/strategy.js';
import type { ObjectStore } from './object-store.js';

export interface TextRequest {
  /** Code points; from the start and to the end when absent. */
  readonly from?: number;
  readonly to?: number;
  /** The newest when absent. */
  readonly revision?: number;
}

export interface DocumentSource {
  readonly stream: Readable;
  readonly fileName: string;
  readonly mediaType: string;
  readonly sizeBytes: number;
}

/** What people see of documents. Each call names the tenant; a foreign or deleted document is not found. */
export class ReadDocuments {
  constructor(
    private readonly documents: DocumentRepository,
    private readonly texts: DocumentTextRepository,
    private readonly chunks: ChunkReadRepository,
    private readonly objects: ObjectStore,
  ) {}

  /** @throws AppError DOCUMENT_NOT_FOUND. */
  async get(tenantId: TenantId, documentId: Id): Promise<DocumentView> {
    const view = await this.documents.view(tenantId, documentId);
    if (!view) throw notFound();
    return view;
  }

  list(tenantId: TenantId, filter: DocumentFilter, page: PageRequest): Promise<Page<DocumentView>> {
    return this.documents.list(tenantId, filter, page);
  }

  /** @throws AppError DOCUMENT_NOT_FOUND; TEXT_NOT_AVAILABLE before the first parse, or for a revision that is not kept. */
  async text(tenantId: TenantId, documentId: Id, request: TextRequest): Promise<TextRange & { revision: number }> {
    const revision = await this.revision(tenantId, documentId, request.revision);
    const range = await this.texts.readRange(tenantId, documentId, revision, request.from ?? 0, request.to);
    if (!range) throw noText();
    return { ...range, revision };
  }

  /** In the order of the text. @throws as `text`. */
  async blocks(
    tenantId: TenantId,
    documentId: Id,
    revision: number | undefined,
    page: PageRequest,
  ): Promise<Page<NumberedBlock> & { revision: number }> {
    const number = await this.revision(tenantId, documentId, revision);
    const blocks = await this.texts.listBlocks(tenantId, documentId, number, page);
    if (!blocks) throw noText();
    return { ...blocks, revision: number };
  }

  /** The bytes as they were uploaded. @throws AppError DOCUMENT_NOT_FOUND, SOURCE_CHANGED, SOURCE_UNREADABLE. */
  async source(tenantId: TenantId, documentId: Id): Promise<DocumentSource> {
    const source = await this.documents.source(tenantId, documentId);
    if (!source) throw notFound();
    return { ...source, stream: await this.objects.get(source.sourceKey) };
  }

  /** Chunks of the served version, in order; none while nothing is served. @throws AppError DOCUMENT_NOT_FOUND. */
  async listChunks(tenantId: TenantId, documentId: Id, level: Level, page: PageRequest): Promise<ChunkPage> {
    const chunks = await this.chunks.listActive(tenantId, documentId, level, page);
    if (!chunks) throw notFound();
    return chunks;
  }

  private async revision(tenantId: TenantId, documentId: Id, asked: number | undefined): Promise<number> {
    const { textRevision } = await this.get(tenantId, documentId);
    if (textRevision === 0) throw noText();
    return asked ?? textRevision;
  }
}

function notFound(): AppError {
  return new AppError('DOCUMENT_NOT_FOUND', 'There is no such document.');
}

function noText(): AppError {
  return new AppError('TEXT_NOT_AVAILABLE', 'The document has no such parsed text.');
}
