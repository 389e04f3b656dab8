import type { Id, TenantId } from '../ids/id.js';

/** A task whose row or log is not what it was. Says where to look, never what is there. */
export interface TaskChange {
  readonly tenantId: TenantId;
  readonly taskId: Id;
}
