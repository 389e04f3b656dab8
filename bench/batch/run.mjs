// A batch of many small documents against a small batch: acceptance, filling, memory, and (with DO=1) building.
//
//   DATABASE_URL=postgres://…/scratch KAFKA_BROKERS=127.0.0.1:9092 node bench/batch/run.mjs
//
// The database must be one that may be filled and emptied. Without DO=1 no worker runs: what is measured is the batch, not the model.
import { readFileSync } from 'node:fs';
import pg from 'pg';
import { createTopics, Part } from '../part.mjs';
import { table } from '../statistics.mjs';

const sizes = (process.env.SIZES ?? '100,10000').split(',').map(Number);
const doing = process.env.DO === '1';
const databaseUrl = process.env.DATABASE_URL;
const brokers = process.env.KAFKA_BROKERS ?? '127.0.0.1:9092';
if (!databaseUrl) throw new Error('DATABASE_URL names the scratch database');
const prefix = `bench-${process.pid}`;
const text = 'The keeper of the night watch writes down the level of the water.\n';

const env = {
  ...process.env,
  PORT: '0',
  BROKER: 'kafka',
  KAFKA_BROKERS: brokers,
  TOPIC_PREFIX: prefix,
  DATA_DIR: process.env.DATA_DIR ?? '.data',
  LOG_LEVEL: 'error',
};
const pool = new pg.Pool({ connectionString: databaseUrl, max: 2 });
await createTopics(env);

// Parsing needs a worker; the measured batches have one only where they are built, too.
const parser = await service('api,worker,relay,upkeep');
const model = await confirmedDocument(parser.url);
if (!doing) await parser.stop();
const measured = doing ? parser : await service('api,relay,upkeep');

try {
  const rows = [];
  for (const size of sizes) rows.push(await measure(size));
  table(
    [
      'documents',
      'accepted in ms',
      'tasks and messages out, s',
      'documents/s',
      ...(doing ? ['built, s', 'built/s'] : []),
      'most memory of the process, MB',
    ],
    rows,
  );
} finally {
  await measured.stop();
  await pool.end();
}

async function measure(size) {
  const base = await copies(size);
  await pool.query('vacuum analyze');
  const startedAt = performance.now();
  const answer = await post('/index/rebuild', { knowledgeBaseId: base });
  const acceptedMs = performance.now() - startedAt;
  if (answer.total !== size) throw new Error(JSON.stringify(answer));
  const { batchId } = answer;
  const out = `select (select count(*) from batch_item where batch_id = $1 and task_id is not null) = $2
                  and not exists (select 1 from outbox where status = 1) as met`;
  await until(out, [batchId, size]);
  const outS = (performance.now() - startedAt) / 1000;
  const built = [];
  if (doing) {
    await until('select count(*) = $2 as met from task where batch_id = $1 and task_status = 3', [batchId, size]);
    const seconds = (performance.now() - startedAt) / 1000;
    built.push(seconds.toFixed(1), (size / seconds).toFixed(1));
  }
  const batch = await (await fetch(`${measured.url}/batches/${batchId}`)).json();
  const sum = Object.values(batch.counts).reduce((a, b) => a + b, 0);
  if (sum !== size || batch.counts.skipped > 0) throw new Error(JSON.stringify(batch));
  return [size, acceptedMs.toFixed(0), outS.toFixed(1), (size / outS).toFixed(0), ...built, peakMb(measured.pid)];
}

/** A base of its own with so many copies of the confirmed document. */
async function copies(size) {
  const base = String((BigInt(Date.now()) << 20n) + BigInt(size));
  const pairs = `(select g, $1::bigint + g * 2 as d, $1::bigint + g * 2 + 1 as p from generate_series(1, $2::int) g)`;
  await pool.query(
    `insert into knowledge_base (id, name, embedding_model) select $1::bigint, $1::bigint::text, embedding_model from knowledge_base where is_default`,
    [base],
  );
  const { documentId, planId } = model;
  const each = async (name, key, id, changes) =>
    pool.query(
      `insert into ${name} select r.* from ${pairs} n cross join ${name} o
         cross join lateral jsonb_populate_record(o, ${changes}) r where o.${key} = $3`,
      [base, size, id],
    );
  await each(
    'document',
    'id',
    documentId,
    `jsonb_build_object('id', n.d, 'knowledge_base_id', $1::bigint, 'current_plan_id', n.p)`,
  );
  for (const name of ['document_text', 'document_text_segment', 'document_block_page'])
    await each(name, 'document_id', documentId, `jsonb_build_object('document_id', n.d)`);
  await each('strategy_plan', 'id', planId, `jsonb_build_object('id', n.p, 'document_id', n.d)`);
  await each('strategy_step', 'plan_id', planId, `jsonb_build_object('plan_id', n.p)`);
  return base;
}

async function confirmedDocument(url) {
  const form = new FormData();
  form.append('file', new Blob([text]), `${prefix}.md`);
  const { document } = await (
    await fetch(`${url}/documents?allowDuplicate=true`, { method: 'POST', body: form })
  ).json();
  await until('select parse_status >= 3 as met from document where id = $1', [document.documentId]);
  const { currentPlanId } = await (await fetch(`${url}/documents/${document.documentId}`)).json();
  await (await fetch(`${url}/plans/${currentPlanId}/confirm`, { method: 'POST' })).json();
  return { documentId: document.documentId, planId: currentPlanId };
}

async function post(path, body) {
  const response = await fetch(measured.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return response.json();
}

async function until(sql, parameters) {
  while (!(await pool.query(sql, parameters)).rows[0]?.met) await new Promise((resolve) => setTimeout(resolve, 100));
}

/** Most memory that the process has had, from Linux. */
function peakMb(pid) {
  return Math.round(Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024);
}

function service(roles) {
  return Part.start({ ...env, ROLES: roles, ...(doing ? {} : { BATCH_AHEAD: '10000' }) });
}
