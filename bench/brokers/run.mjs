// Sending and reading messages: each adapter against its client library used by hand for the same.
//
//   DATABASE_URL=postgres://…/scratch KAFKA_BROKERS=127.0.0.1:9092 node bench/brokers/run.mjs
//
// Rounds are interleaved; the tables give medians over rounds, and ratios of one round.
import { taskMessage } from '../../dist/src/messaging/task-message.js';
import { median, percentile, table } from '../statistics.mjs';

const brokers = (process.env.BROKERS ?? 'kafka,rabbitmq,redis,postgres').split(',');
const rounds = Number(process.env.ROUNDS ?? 5);
const sequential = Number(process.env.SEQUENTIAL ?? 300);
const concurrent = Number(process.env.CONCURRENT ?? 2_000);
const senders = Number(process.env.SENDERS ?? 32);
const documents = 100;

const results = [];
for (const broker of brokers) results.push({ broker, ...(await measure(broker)) });
const names = { byHand: 'by hand', adapter: 'adapter' };
const figures = (side, base) => [
  `${median(side.p50).toFixed(2)} / ${median(side.p99).toFixed(2)}`,
  ratio(side.p50, base.p50),
  median(side.sent).toFixed(0),
  ratio(side.sent, base.sent),
  median(side.read).toFixed(0),
  ratio(side.read, base.read),
];
console.log(
  `${rounds} rounds, ${sequential} sends one at a time, ${concurrent} by ${senders} senders; medians over rounds`,
);
table(
  ['broker', '', 'send, p50 / p99 ms', 'p50 to hand', 'sent/s', 'to hand', 'read/s', 'to hand'],
  results.flatMap(({ broker, ...sides }) =>
    Object.entries(sides).map(([side, of]) => [broker, names[side], ...figures(of, sides.byHand)]),
  ),
);

async function measure(broker) {
  const { open } = await import(`./${broker}.mjs`);
  const { close, ...sides } = await open(`bench-${process.pid}`);
  const measured = Object.fromEntries(
    Object.keys(sides).map((side) => [side, { p50: [], p99: [], sent: [], read: [] }]),
  );
  try {
    for (let round = -1; round < rounds; round += 1) {
      for (const [name, side] of Object.entries(sides)) {
        const alone = await send(side, sequential, 1);
        const together = await send(side, concurrent, senders);
        const read = await readAll(side, sequential + concurrent);
        if (round < 0) continue; // warm-up
        measured[name].p50.push(percentile(alone.latencies, 0.5));
        measured[name].p99.push(percentile(alone.latencies, 0.99));
        measured[name].sent.push(together.rate);
        measured[name].read.push(read);
      }
    }
  } finally {
    await close();
  }
  return measured;
}

async function send(side, count, width) {
  const latencies = [];
  let next = 0;
  const startedAt = performance.now();
  await Promise.all(
    Array.from({ length: width }, async () => {
      while (next < count) {
        const message = messageOf((next += 1));
        const at = performance.now();
        await side.send(message);
        latencies.push(performance.now() - at);
      }
    }),
  );
  return { latencies, rate: (count * 1_000) / (performance.now() - startedAt) };
}

/** Messages a second, from the first to the last: joining a group is left out. */
async function readAll(side, count) {
  let [got, firstAt] = [0, 0];
  let stop = () => undefined;
  const lastAt = await new Promise((resolve, reject) => {
    const onMessage = () => {
      got += 1;
      if (got === 1) firstAt = performance.now();
      if (got === count) resolve(performance.now());
    };
    side.consume(onMessage).then((end) => (stop = end), reject);
  });
  await stop();
  return ((count - 1) * 1_000) / (lastAt - firstAt);
}

function messageOf(n) {
  const id = String(10n ** 17n + BigInt(n));
  return taskMessage({ id, tenantId: '0', documentId: String(n % documents), planId: id, taskType: 2, priority: 1 });
}

function ratio(values, base) {
  return median(values.map((value, round) => value / base[round])).toFixed(2);
}
