// Accepting a build: the service over HTTP against a floor without HTTP (raw pg and kafkajs, six statements and the send)
// and against the same floor behind a bare HTTP server.
//
//   DATABASE_URL=postgres://…/scratch KAFKA_BROKERS=127.0.0.1:9092 node bench/accept/run.mjs
//
// The database must be one that may be filled and emptied. Rounds are interleaved; the table gives medians over rounds.
import http from 'node:http';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { createTopics, Part } from '../part.mjs';
import { median, percentile, table } from '../statistics.mjs';
import { Floor } from './floor.mjs';

const rounds = Number(process.env.ROUNDS ?? 7);
const sequential = Number(process.env.SEQUENTIAL ?? 400);
const concurrent = Number(process.env.CONCURRENT ?? 1_200);
const clients = Number(process.env.CLIENTS ?? 32);
const databaseUrl = process.env.DATABASE_URL;
const brokers = (process.env.KAFKA_BROKERS ?? '127.0.0.1:9092').split(',');
if (!databaseUrl) throw new Error('DATABASE_URL names the scratch database');
const prefix = `bench-${process.pid}`;
const documents = sequential + concurrent;

const service = await startService();
const pool = new pg.Pool({ connectionString: databaseUrl, max: 4 });
const planted = await plantDocuments();
const floorOptions = { databaseUrl, brokers, topic: `${prefix}-floor`, documents };
const floor = await Floor.start(floorOptions);
const floorServer = await Part.start(process.env, [
  fileURLToPath(new URL('floor-server.mjs', import.meta.url)),
  JSON.stringify(floorOptions),
]);
const agent = new http.Agent({ keepAlive: true, maxSockets: clients });

const variants = [
  { name: 'floor: six statements and the send, no HTTP', reset: () => floor.reset(), accept: (i) => floor.accept(i) },
  {
    name: 'the same floor behind a bare HTTP server',
    reset: () => floor.reset(),
    accept: (i) => post(floorServer.url, { i }),
  },
  {
    name: 'service: POST /index/build',
    reset: resetService,
    accept: (i) => post(`${service.url}/index/build`, { ...planted[i], operatorId: '7' }),
  },
];
const results = variants.map(() => ({ p50: [], p99: [], rate: [] }));
try {
  for (let round = -1; round < rounds; round += 1) {
    for (const [v, variant] of variants.entries()) {
      await variant.reset();
      const alone = await load(variant.accept, 0, sequential, 1);
      const together = await load(variant.accept, sequential, concurrent, clients);
      if (round < 0) continue; // warm-up
      results[v].p50.push(percentile(alone.latencies, 0.5));
      results[v].p99.push(percentile(alone.latencies, 0.99));
      results[v].rate.push(together.rate);
    }
  }
  report();
} finally {
  agent.destroy();
  await floor.stop();
  await pool.end();
  await Promise.all([service.stop(), floorServer.stop()]);
}

function report() {
  const [base] = results;
  console.log(
    `${rounds} rounds, ${sequential} requests one at a time, ${concurrent} by ${clients} clients; medians over rounds`,
  );
  table(
    ['variant', 'p50 ms, one at a time', 'p99 ms', 'p50 to floor', `requests/s, ${clients} clients`, 'rate to floor'],
    variants.map(({ name }, v) => [
      name,
      median(results[v].p50).toFixed(2),
      median(results[v].p99).toFixed(2),
      median(results[v].p50.map((p50, r) => p50 / base.p50[r])).toFixed(2),
      median(results[v].rate).toFixed(0),
      median(results[v].rate.map((rate, r) => rate / base.rate[r])).toFixed(2),
    ]),
  );
}

/** A closed loop of `width` clients over documents `from` to `from + count`. */
async function load(accept, from, count, width) {
  const latencies = [];
  let next = from;
  const startedAt = performance.now();
  await Promise.all(
    Array.from({ length: width }, async () => {
      while (next < from + count) {
        const at = performance.now();
        await accept(next++);
        latencies.push(performance.now() - at);
      }
    }),
  );
  return { latencies, rate: (count * 1000) / (performance.now() - startedAt) };
}

function post(url, fields) {
  const body = JSON.stringify(fields);
  return new Promise((resolve, reject) => {
    const request = http.request(
      url,
      { method: 'POST', agent, headers: { 'content-type': 'application/json', 'content-length': body.length } },
      (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (part) => (text += part));
        response.on('end', () =>
          response.statusCode === 202 ? resolve() : reject(new Error(`${response.statusCode} ${text}`)),
        );
      },
    );
    request.on('error', reject).end(body);
  });
}

async function startService() {
  const env = {
    ...process.env,
    ROLES: 'api',
    PORT: '0',
    BROKER: 'kafka',
    KAFKA_BROKERS: brokers.join(','),
    TOPIC_PREFIX: prefix,
    LOG_LEVEL: 'error',
    EMBEDDING_PROCESSES: '1',
  };
  await createTopics(env);
  return Part.start(env);
}

/** Parsed documents with confirmed plans, ready to be built. */
async function plantDocuments() {
  const base = (await pool.query('select id from knowledge_base where is_default')).rows[0].id;
  const first = BigInt(Date.now()) << 22n;
  const ids = Array.from({ length: documents }, (_, i) => ({
    documentId: String(first + BigInt(i * 2)),
    planId: String(first + BigInt(i * 2 + 1)),
  }));
  const parameters = [ids.map((d) => d.documentId), ids.map((d) => d.planId)];
  await pool.query(
    `insert into document (id, knowledge_base_id, title, file_name, media_type, size_bytes, source_hash, source_key,
                           parse_status, strategy_status, index_status, current_plan_id, text_revision)
     select d, $3, 'bench', 'bench.md', 'text/markdown', 1, repeat('a', 64), 'none', 3, 3, 1, p, 1
       from unnest($1::bigint[], $2::bigint[]) as r (d, p)`,
    [...parameters, base],
  );
  await pool.query(
    `insert into strategy_plan (id, document_id, plan_no, plan_status, source, strategy_snapshot, text_revision)
     select p, d, 1, 2, 'RECOMMENDED', 'PARENT:1;CHILD:5,2', 1 from unnest($1::bigint[], $2::bigint[]) as r (d, p)`,
    parameters,
  );
  await pool.query(
    `insert into strategy_step (plan_id, step_no, level, strategy, params)
     select p, s.no, s.level, s.strategy, '{}' from unnest($1::bigint[]) as r (p),
       (values (1, 'PARENT', 1), (2, 'CHILD', 5), (3, 'CHILD', 2)) as s (no, level, strategy)`,
    [parameters[1]],
  );
  await pool.query('analyze');
  return ids;
}

async function resetService() {
  await pool.query('truncate task, task_log, index_version, chunk cascade');
  await pool.query('update document set index_status = 1');
  await pool.query('vacuum document');
  await pool.query('checkpoint');
}
