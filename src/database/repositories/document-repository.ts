import { sourcesOf } from '../../domain/coded-value.js';
import { IndexStatus } from '../../domain/document/index-status.js';
import { ParseStatus, parseStatusMoves } from '../../domain/document/parse-status.js';
import { StrategyStatus } from '../../domain/document/strategy-status.js';
import type { FailureRecord } from '../../domain/errors.js';
import type { Id, TenantId } from '../../domain/ids/id.js';
import { pageOf, type Page, type PageRequest } from '../../domain/page.js';
import { liveTaskStatuses } from '../../domain/task/task-status.js';
import type { ParsedText, ParseWarning } from '../../domain/text/block.js';
import type { Database, TransactionContext } from '../database.js';
import { documentViewSql, type DocumentView } from './document-view.js';
import { holdFile } from './file-repository.js';

export interface NewDocument {
  readonly id: Id;
  readonly tenantId: TenantId;
  readonly knowledgeBaseId: Id;
  readonly title: string;
  readonly fileName: string;
  readonly mediaType: string;
  readonly sizeBytes: number;
  readonly sourceHash: string;
  readonly sourceKey: string;
}

/** Bytes in the object store. */
interface StoredBytes {
  readonly key: string;
  readonly sizeBytes: number;
  readonly sha256: string;
}

export interface DocumentFilter {
  readonly knowledgeBaseId?: Id;
  readonly parseStatus?: ParseStatus;
  readonly indexStatus?: IndexStatus;
  /** A part of the title or the file name, in any case; taken literally. */
  readonly q?: string;
}

/** Where a document's source is, and what it must be. */
export interface StoredSource {
  readonly fileName: string;
  readonly mediaType: string;
  readonly sizeBytes: number;
  readonly sourceHash: string;
  readonly sourceKey: string;
  readonly textRevision: number;
  /**
   * What the source is to be read as: an encoding that a person asked for, or that reading it has proved. A guess is
   * none: it would pass for knowledge the next time.
   */
  readonly encoding: string | null;
}

/** A document that is about to be read anew. */
export interface RenewedDocument {
  readonly documentId: Id;
  readonly knowledgeBaseId: Id;
  /** Where its source has been until now. */
  readonly sourceKey: string;
  readonly liveTaskId: Id | null;
}

/** Documents: created, read, and moved through parsing. Builds move them elsewhere. */
export class DocumentRepository {
  constructor(private readonly database: Database) {}

  /**
   * @param encoding what the source is to be read as, if a person said so.
   * @throws AppError STORAGE_UNAVAILABLE if the file was cleared away meanwhile.
   */
  async insert(tx: TransactionContext, document: NewDocument, encoding?: string): Promise<void> {
    await holdFile(tx, document.sourceKey);
    await tx.query(
      `insert into document (id, tenant_id, knowledge_base_id, title, file_name, media_type, size_bytes, source_hash,
                             source_key, encoding, parse_status, strategy_status, index_status)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, ${ParseStatus.WaitParse}, ${StrategyStatus.WaitRecommend},
               ${IndexStatus.WaitBuild})`,
      [
        document.id,
        document.tenantId,
        document.knowledgeBaseId,
        document.title,
        document.fileName,
        document.mediaType,
        document.sizeBytes,
        document.sourceHash,
        document.sourceKey,
        encoding ?? null,
      ],
    );
  }

  /** The oldest document of a base with these bytes. Waits for uploads of the same bytes that are under way. */
  async findDuplicate(
    tx: TransactionContext,
    tenantId: TenantId,
    baseId: Id,
    sourceHash: string,
  ): Promise<Id | undefined> {
    await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`upload ${baseId} ${sourceHash}`]);
    const [row] = await tx.query<{ id: Id }>(
      `select id from document
        where tenant_id = $1 and knowledge_base_id = $2 and source_hash = $3 and deleted_at is null
        order by id limit 1`,
      [tenantId, baseId, sourceHash],
    );
    return row?.id;
  }

  async view(tenantId: TenantId, documentId: Id): Promise<DocumentView | undefined> {
    const [view] = await this.database.query<DocumentView>(`${documentViewSql} and d.id = $2`, [tenantId, documentId]);
    return view;
  }

  /** Newest first. */
  async list(tenantId: TenantId, filter: DocumentFilter, page: PageRequest): Promise<Page<DocumentView>> {
    const rows = await this.database.query<DocumentView>(
      `${documentViewSql}
          and ($2::bigint is null or d.knowledge_base_id = $2)
          and ($3::smallint is null or d.parse_status = $3)
          and ($4::smallint is null or d.index_status = $4)
          and ($5::text is null or strpos(lower(d.title), lower($5)) > 0 or strpos(lower(d.file_name), lower($5)) > 0)
          and ($6::bigint is null or d.id < $6)
        order by d.id desc limit $7`,
      [
        tenantId,
        filter.knowledgeBaseId ?? null,
        filter.parseStatus ?? null,
        filter.indexStatus ?? null,
        filter.q ?? null,
        page.after ?? null,
        page.limit + 1,
      ],
    );
    return pageOf(rows, page.limit, ({ documentId }) => documentId);
  }

  async source(tenantId: TenantId, documentId: Id): Promise<StoredSource | undefined> {
    const [row] = await this.database.query<Omit<StoredSource, 'sizeBytes'> & { sizeBytes: string }>(
      `select file_name as "fileName", media_type as "mediaType", size_bytes as "sizeBytes",
              source_hash as "sourceHash", source_key as "sourceKey", text_revision as "textRevision",
              case when coalesce(encoding_confidence, 1) = 1 then encoding end as encoding
         from document where id = $1 and tenant_id = $2 and deleted_at is null`,
      [documentId, tenantId],
    );
    return row ? { ...row, sizeBytes: Number(row.sizeBytes) } : undefined;
  }

  /** Locks the document and tells what is in the way of reading it anew. */
  async lockForRenewal(
    tx: TransactionContext,
    tenantId: TenantId,
    documentId: Id,
  ): Promise<RenewedDocument | undefined> {
    const rows = await tx.query(
      'select 1 from document where id = $1 and tenant_id = $2 and deleted_at is null for no key update',
      [documentId, tenantId],
    );
    if (rows.length === 0) return undefined;
    // A statement of its own: what the lock had to wait for is visible to it.
    const [row] = await tx.query<RenewedDocument>(
      `select d.id as "documentId", d.knowledge_base_id as "knowledgeBaseId", d.source_key as "sourceKey",
              (select t.id from task t where t.document_id = d.id and t.task_status = any($2) limit 1) as "liveTaskId"
         from document d where d.id = $1`,
      [documentId, liveTaskStatuses],
    );
    return row;
  }

  /**
   * Other bytes take the place of the source; they wait to be parsed. The document must be locked and idle.
   *
   * @throws AppError STORAGE_UNAVAILABLE if the file was cleared away meanwhile.
   */
  async replaceSource(
    tx: TransactionContext,
    documentId: Id,
    source: { readonly fileName: string; readonly mediaType: string; readonly stored: StoredBytes },
    encoding: string | undefined,
  ): Promise<void> {
    await holdFile(tx, source.stored.key);
    await tx.query(
      `update document set file_name = $2, media_type = $3, size_bytes = $4, source_hash = $5, source_key = $6 where id = $1`,
      [documentId, source.fileName, source.mediaType, source.stored.sizeBytes, source.stored.sha256, source.stored.key],
    );
    await this.awaitParsing(tx, documentId, encoding);
  }

  /** The source waits to be parsed anew. The document must be locked and idle. */
  async awaitParsing(tx: TransactionContext, documentId: Id, encoding: string | undefined): Promise<void> {
    const from = [ParseStatus.WaitParse, ...sourcesOf(parseStatusMoves, ParseStatus.WaitParse)];
    const assignments = 'error = null, encoding = $4, encoding_confidence = null';
    await this.move(tx, documentId, ParseStatus.WaitParse, from, assignments, encoding ?? null);
  }

  /** A worker reads the document from now on; also when an earlier attempt had begun. */
  async startParsing(tx: TransactionContext, documentId: Id): Promise<void> {
    const from = [ParseStatus.Parsing, ...sourcesOf(parseStatusMoves, ParseStatus.Parsing)];
    await this.move(tx, documentId, ParseStatus.Parsing, from, 'error = null');
  }

  /** What reading told about the source. */
  async describeSource(
    tx: TransactionContext,
    documentId: Id,
    parsed: Omit<ParsedText, 'text' | 'blocks'>,
  ): Promise<void> {
    await tx.query(
      `update document set encoding = $2, encoding_confidence = $3, language = $4, media_type = $5, parse_warnings = $6,
                           updated_at = now() where id = $1`,
      [
        documentId,
        parsed.encoding ?? null,
        parsed.encodingConfidence ?? null,
        parsed.language ?? null,
        parsed.mediaType,
        JSON.stringify(parsed.warnings satisfies readonly ParseWarning[]),
      ],
    );
  }

  /** The text of `revision` is the document's from now on. */
  async finishParsing(tx: TransactionContext, documentId: Id, revision: number): Promise<void> {
    const from = sourcesOf(parseStatusMoves, ParseStatus.ParseSuccess);
    await this.move(tx, documentId, ParseStatus.ParseSuccess, from, 'error = null, text_revision = $4', revision);
  }

  async failParsing(tx: TransactionContext, documentId: Id, failure: FailureRecord): Promise<void> {
    const from = sourcesOf(parseStatusMoves, ParseStatus.ParseFailed);
    await this.move(tx, documentId, ParseStatus.ParseFailed, from, 'error = $4::jsonb', JSON.stringify(failure));
  }

  private async move(
    tx: TransactionContext,
    documentId: Id,
    to: ParseStatus,
    from: readonly ParseStatus[],
    assignments: string,
    ...values: unknown[]
  ): Promise<void> {
    const rows = await tx.query(
      `update document set parse_status = $2, updated_at = now(), ${assignments}
        where id = $1 and parse_status = any($3) returning 1`,
      [documentId, to, from, ...values],
    );
    if (rows.length !== 1) throw new Error(`document ${documentId} could not move to parse status ${to}`);
  }
}
