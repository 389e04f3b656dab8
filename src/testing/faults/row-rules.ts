import type { Invariant } from './violation.js';

/** A statement that finds the ids of what breaks an invariant. `$1`: ids of the tasks that were answered with 2xx. */
export interface RowRule {
  readonly invariant: Invariant;
  readonly says: string;
  readonly sql: string;
}

const live = '(1, 2, 5)';
const builds = '(2, 4)';
const newest = (types: string): string =>
  `(select distinct on (document_id) * from task where task_type in ${types} order by document_id, id desc)`;

/** What must hold between the rows when all work has ended. */
export const rowRules: readonly RowRule[] = [
  {
    invariant: 'I1',
    says: 'a document with two live index tasks',
    sql: `select document_id as id from task where task_type in (2, 3, 4) and task_status in ${live}
           group by document_id having count(*) > 1`,
  },
  {
    invariant: 'I2',
    says: 'a task that has neither ended nor a time at which it goes on',
    sql: `select id from task
           where task_status = 1 and sent_at < clock_timestamp() - interval '2 min'
              or task_status = 2 and lease_until < clock_timestamp() - interval '30 s'
              or task_status = 5 and next_retry_at < clock_timestamp() - interval '1 min'`,
  },
  {
    invariant: 'I2',
    says: 'a task that ended badly without a reason',
    sql: `select id from task where task_status in (4, 6) and coalesce(error->>'code', '') = ''`,
  },
  {
    invariant: 'I3',
    says: 'a document whose parse status is not that of its newest parse',
    sql: `select d.id from document d join ${newest('(1)')} t on t.document_id = d.id
           where d.deleted_at is null and not case t.task_status
             when 3 then d.parse_status = 3 when 4 then d.parse_status = 4 when 6 then d.parse_status = 4
             when 7 then d.parse_status = 4 else d.parse_status in (1, 2) end`,
  },
  {
    invariant: 'I3',
    says: 'a document whose index status is not that of its newest build',
    sql: `select d.id from document d left join ${newest(builds)} t on t.document_id = d.id
           where d.deleted_at is null and d.index_status <> case
             when t.id is null then 1 when t.task_status in ${live} then 2 when t.task_status = 3 then 3
             when t.task_status in (4, 6) then 4 when d.active_version_id is null then 1 else 3 end`,
  },
  {
    invariant: 'I4',
    says: 'a served version that is not whole',
    sql: `select v.id from index_version v
           where v.state = 2 and (
             v.parent_count <> (select count(*) from chunk c where c.version_id = v.id and c.level = 'PARENT')
             or v.child_count <> (select count(*) from chunk c where c.version_id = v.id and c.level = 'CHILD')
             or v.child_count <> (select count(*) from chunk_vector_384 e where e.version_id = v.id)
             or v.child_count = 0)`,
  },
  {
    invariant: 'I4',
    says: 'a served version that its document does not point at, or the other way round',
    sql: `select d.id from document d
            full join (select * from index_version where state = 2) v on v.document_id = d.id
           where coalesce(d.deleted_at, d.purged_at) is null and d.active_version_id is distinct from v.id`,
  },
  {
    invariant: 'I4',
    says: 'a served version of another plan than its task, or of a task that did not succeed',
    sql: `select v.id from index_version v join task t on t.id = v.task_id
           where v.state = 2 and (t.task_status <> 3 or t.plan_id <> v.plan_id or t.document_id <> v.document_id)`,
  },
  {
    invariant: 'I4',
    says: 'chunks of one document in a version of another, or vectors of no version',
    sql: `select c.id from chunk c join index_version v on v.id = c.version_id where c.document_id <> v.document_id
          union all
          select e.version_id from chunk_vector_384 e
           where not exists (select 1 from index_version v where v.id = e.version_id)`,
  },
  {
    invariant: 'I5',
    says: 'a task that was answered for and is not there',
    sql: `select a.id from unnest($1::bigint[]) as a (id) where not exists (select 1 from task t where t.id = a.id)`,
  },
  {
    invariant: 'I5',
    says: 'a document whose newest build succeeded and is not what is served',
    sql: `select d.id from document d join ${newest(builds)} t on t.document_id = d.id
           where d.deleted_at is null and t.task_status = 3
             and not exists (select 1 from index_version v where v.id = d.active_version_id and v.task_id = t.id)`,
  },
  {
    invariant: 'I7',
    says: 'a task that has no log, or whose log does not end as the task has',
    sql: `select t.id from task t
            left join lateral (select event from task_log l where l.task_id = t.id order by l.id desc limit 1) l on true
           where l.event is null
              or case t.task_status when 3 then 'SUCCESS' when 4 then 'FAILED' when 6 then 'TIMEOUT' when 7 then 'CANCELLED'
                   else 'live' end
                 is distinct from case when l.event in ('SUCCESS', 'FAILED', 'TIMEOUT', 'CANCELLED') then l.event else 'live' end`,
  },
  {
    invariant: 'I8',
    says: 'an outbox message that was given up or forgotten',
    sql: `select id from outbox
           where status = 3 or status = 1 and next_try_at < clock_timestamp() - interval '2 min'`,
  },
];
