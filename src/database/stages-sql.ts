import { ExecuteStatus } from '../domain/plan/step-status.js';

/** SQL for a task's stages after its work was ended from outside: what was running is in `status` now. */
export function stagesEndedIn(status: ExecuteStatus): string {
  return `(select jsonb_agg(case when s.value -> 'status' = '${ExecuteStatus.Running}'
                                then s.value || '{"status": ${status}}' else s.value end order by s.ordinality)
            from jsonb_array_elements(stages) with ordinality s)`;
}
