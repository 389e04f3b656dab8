import { FlagField } from '../fields/number-fields.js';

/** Body of `POST /admin/reconcile`. */
export class ReconcileRequest {
  @FlagField({ description: 'Mend what is found, not only tell it.', example: true, optional: true })
  repair?: boolean;
}
