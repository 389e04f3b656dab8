import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { silentLogger } from '../logging/logger.js';
import { ScriptedPublisher } from '../testing/scripted-publisher.js';
import { ConsumeMetrics } from './consume-metrics.js';
import { MeteredPublisher } from './metered-publisher.js';
import { Metrics } from './metrics.js';
import { RequestMetrics } from './request-metrics.js';
import { TaskMetrics } from './task-metrics.js';
import { WorkloadMetrics } from './workload-metrics.js';

const file = new URL('../../docker/grafana/indexwright.json', import.meta.url);
const { panels } = JSON.parse(readFileSync(file, 'utf8')) as { panels: { targets: { expr: string }[] }[] };
const asked = panels.flatMap(({ targets }) =>
  targets.flatMap(({ expr }) => expr.match(/\b(indexwright|process)_\w+/g) ?? []),
);

it('asks for metrics that there are, and leaves none of ours out', async () => {
  const metrics = new Metrics();
  new MeteredPublisher(new ScriptedPublisher(), metrics);
  new ConsumeMetrics(metrics);
  new RequestMetrics(metrics);
  new TaskMetrics(metrics);
  const nothing = {
    items: [],
    next: null,
    broker: 'kafka',
    drained: [],
    outbox: { pending: 0, failed: 0, oldestPendingMs: null },
  };
  new WorkloadMetrics(metrics, { listQueues: () => Promise.resolve(nothing) }, silentLogger);
  const there = [...(await metrics.read()).matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name ?? '');
  const base = asked.map((name) => name.replace(/_(bucket|count|sum)$/, ''));
  expect(base.filter((name) => !there.includes(name))).toEqual([]);
  expect(there.filter((name) => name.startsWith('indexwright_') && !base.includes(name))).toEqual([]);
});
