import type { Database, TransactionContext } from '../database/database.js';
import type { Once } from '../database/once.js';
import type { PlannedDocument, PlanRepository } from '../database/repositories/plan-repository.js';
import { AppError } from '../domain/errors.js';
import type { Id, TenantId } from '../domain/ids/id.js';
import { documentNotFound, textNotAvailable } from './plan-errors.js';

const rounds = 3;

/** Slow work on a document's text outside of the transaction, and what then happens inside it. */
export interface SteadyWork<Prepared, Result> {
  /** Undefined when the text is gone by now: a newer one has taken its place. */
  prepare(document: PlannedDocument): Promise<Prepared | undefined>;
  store(tx: TransactionContext, document: PlannedDocument, prepared: Prepared): Promise<Result>;
}

/**
 * Prepares without a lock, then stores under the document's lock if the text is still the newest one; else begins anew.
 *
 * @param once has a repetition give what was stored the first time.
 * @throws AppError DOCUMENT_NOT_FOUND; TEXT_NOT_AVAILABLE before the first parse; TOO_BUSY if new texts keep arriving.
 */
export async function onSteadyText<Prepared, Result>(
  database: Database,
  plans: PlanRepository,
  tenantId: TenantId,
  documentId: Id,
  work: SteadyWork<Prepared, Result>,
  once?: Once,
): Promise<Result> {
  // What would be prepared is not stored again.
  if (once?.done) return (once.done.result as { result: Result }).result;
  for (let round = 0; round < rounds; round += 1) {
    const document = await parsedDocument(plans, tenantId, documentId);
    const prepared = await work.prepare(document);
    if (prepared === undefined) continue;
    const outcome = await database.transaction(async (tx) => {
      const locked = await plans.lockDocument(tx, tenantId, documentId);
      if (!locked) throw documentNotFound(documentId);
      if (locked.textRevision !== document.textRevision) return undefined;
      return { result: await work.store(tx, locked, prepared) };
    }, once);
    if (outcome) return outcome.result;
  }
  throw new AppError('TOO_BUSY', `Document ${documentId} is being parsed again and again. Try later.`);
}

/** A document whose text can be looked at. */
export async function parsedDocument(
  plans: PlanRepository,
  tenantId: TenantId,
  documentId: Id,
): Promise<PlannedDocument> {
  const document = await plans.findDocument(tenantId, documentId);
  if (!document) throw documentNotFound(documentId);
  if (document.textRevision === 0) throw textNotAvailable(documentId);
  return document;
}
