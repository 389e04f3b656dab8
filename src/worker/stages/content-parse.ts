import { createHash } from 'node:crypto';
import type { DocumentRepository, StoredSource } from '../../database/repositories/document-repository.js';
import type { DocumentTextRepository } from '../../database/repositories/document-text-repository.js';
import type { DocumentParser } from '../../documents/document-parser.js';
import type { ObjectStore } from '../../documents/object-store.js';
import { AppError } from '../../domain/errors.js';
import { Stage } from '../../domain/task/stage.js';
import type { TaskRun } from '../task-run.js';
import type { TaskStage } from '../task-stage.js';

export interface ContentParseParts {
  readonly documents: DocumentRepository;
  readonly texts: DocumentTextRepository;
  readonly objects: ObjectStore;
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
    const { documents, texts, parser } = this.parts;
    await run.write((tx) => documents.startParsing(tx, documentId), { lockDocument: true });
    const source = await documents.source(tenantId, documentId);
    if (!source) throw new AppError('CANCELLED', 'The document was deleted.');
    const bytes = await this.load(source);
    const { fileName, encoding, sourceHash, textRevision } = source;
    const parsed = await parser.parse({ bytes, fileName, ...(encoding ? { encoding } : {}) }, run.signal);
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

  /** The bytes, as they were uploaded: anything else must not become an index. */
  private async load(source: StoredSource): Promise<Buffer> {
    const parts: Buffer[] = [];
    const hash = createHash('sha256');
    for await (const part of await this.parts.objects.get(source.sourceKey)) {
      hash.update(part as Buffer);
      parts.push(part as Buffer);
    }
    if (hash.digest('hex') !== source.sourceHash) {
      throw new AppError('SOURCE_CHANGED', 'The stored file is not the one that was uploaded.');
    }
    return Buffer.concat(parts);
  }
}
