import type { Id, TenantId } from '../domain/ids/id.js';
import type { StructuredText } from './text-cutter.js';

/** Gives stored texts whole. */
export interface TextReader {
  /** Undefined if there is no such revision, or it was removed. */
  read(tenantId: TenantId, documentId: Id, revision: number): Promise<StructuredText | undefined>;
}
