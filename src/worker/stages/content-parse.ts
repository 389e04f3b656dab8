import type { DocumentRepository, StoredSource } from '../../database/repositories/document-repository.js';
import type { DocumentTextRepository } from '../../database/repositories/document-text-repository.js';
import type { DocumentParser } from '../../documents/document-parser.js';
import type { SourceSpool } from '../../documents/source-spool.js';
import { AppError } from '../../domain/errors.js';
import type { ParsedText } from '../../domain/text/block.js';
import { Stage } from '../../domain/task/stage.js';
import type { TaskRun } from '../task-run.js';
import type { TaskStage } from '../task-stage.js';

export interface ContentParseParts {
  readonly documents: DocumentRepository;
  readonly texts: DocumentTextRepository;
  readonly spool: Pick<SourceSpool, 'hold'>;
  readonly parser: Pick<DocumentParser, 'parse'>;
}

/**
 * Reads the source into text and blocks, stored as the revision after the document's current one. The document does not
 * point at it before the task succeeds, so a second run replaces it.
 */
export class ContentParse implements TaskStage {
  readonly stage = Stage.ContentParse;

  constructor(private readonly parts: ContentParseParts) {}

  async run(run: TaskRun): Promise<void> {
    const { tenantId, documentId } = run.task;
    const { documents, texts } = this.parts;
    await run.write((tx) => documents.startParsing(tx, documentId), { lockDocument: true });
    const source = await documents.source(tenantId, documentId);
    if (!source) throw new AppError('CANCELLED', 'The document was deleted.');
    const parsed = await this.read(source, run.signal);
    const { sourceHash, textRevision } = source;
    await run.write(
      async (tx) => {
        await texts.removeAfter(tx, documentId, textRevision);
        const length = await texts.save(tx, { tenantId, documentId, revision: textRevision + 1, sourceHash, parsed });
        await documents.describeSource(tx, documentId, parsed);
        await run.completeStage(tx, length);
      },
      { lockDocument: true },
    );
  }

  private async read(source: StoredSource, signal: AbortSignal): Promise<ParsedText> {
    const { fileName, mediaType, encoding } = source;
    const spooled = await this.parts.spool.hold(source, signal);
    try {
      return await this.parts.parser.parse(
        { path: spooled.path, textPath: spooled.textPath, fileName, mediaType, ...(encoding ? { encoding } : {}) },
        signal,
      );
    } finally {
      await spooled.dispose();
    }
  }
}
