import { hostname } from 'node:os';
import { join, resolve } from 'node:path';
import type { AppConfig } from '../config/app-config.js';
import { DocumentParser } from '../documents/document-parser.js';
import { SourceSpool } from '../documents/source-spool.js';
import { TaskPriority } from '../domain/task/task-priority.js';
import { TaskType } from '../domain/task/task-type.js';
import { ConsumerGroup, typesOfGroup } from '../messaging/topic.js';
import type { TaskMetrics } from '../metrics/task-metrics.js';
import { PlanProposer } from '../plans/plan-proposer.js';
import { StorePlan } from '../plans/store-plan.js';
import { VersionWriter } from '../vector-index/version-writer.js';
import { ClaimTask } from '../worker/claim-task.js';
import { LeaseKeeper } from '../worker/lease-keeper.js';
import { ChunkExecute } from '../worker/stages/chunk-execute.js';
import { ContentParse, type ContentParseParts } from '../worker/stages/content-parse.js';
import { IndexWrite } from '../worker/stages/index-write.js';
import { RemoveContent } from '../worker/stages/remove-content.js';
import { StrategyRoute } from '../worker/stages/strategy-route.js';
import { Vectorize } from '../worker/stages/vectorize.js';
import { TaskFinder } from '../worker/task-finder.js';
import { TaskIntake } from '../worker/task-intake.js';
import { TaskReporter } from '../worker/task-reporter.js';
import type { TaskStage } from '../worker/task-stage.js';
import { TaskWalker } from '../worker/task-walker.js';
import { WorkerPresence } from '../worker/worker-presence.js';
import { Worker } from '../worker/worker.js';
import type { Ground } from './ground.js';
import type { Lifecycle } from './lifecycle.js';
import type { TextParts } from './text-parts.js';

/** How long an aborted attempt may take to stop before its slot is given to another, in ms. */
const heedMs = 5_000;
/** How often consumers are asked whether they have given up. */
const watchEveryMs = 2_000;

/** Starts the worker: it claims tasks of all groups and walks them through their stages. */
export async function startWorker(
  config: AppConfig,
  ground: Ground,
  text: TextParts,
  metrics: TaskMetrics,
  lifecycle: Lifecycle,
): Promise<void> {
  const workerId = ground.ids.next();
  const logger = lifecycle.logger.child({ part: 'worker', workerId });
  const { leases, logs, failures } = ground.repositories;
  const parser = new DocumentParser(config.parse, config.worker.parseSlots, logger);
  lifecycle.add('parser', () => parser.stop());
  const spool = new SourceSpool(ground.objects, join(resolve(config.process.dataDir), 'spool'));
  await spool.start();
  const build = metrics.timed(buildStages(config, ground, text));
  const walker = new TaskWalker(
    new Map([
      [TaskType.ParseDocument, metrics.timed(parseStages(ground, text, { parser, spool }))],
      [TaskType.BuildIndex, build],
      [TaskType.RebuildIndex, build],
      [TaskType.DeleteIndex, metrics.timed(deleteStages(ground))],
    ]),
    { database: ground.database, leases, logs, clock: ground.ids.clock },
    { ...config.limits, readingMs: config.parse.timeoutMs, heedMs },
  );
  const reporter = new TaskReporter({
    leases,
    failures,
    policy: config.worker,
    random: Math.random,
    logger,
  });
  const keeper = new LeaseKeeper(leases, config.worker.leaseMs, logger);
  const worker = new Worker(
    { keeper, walker, reporter: metrics.counted(reporter), logger },
    config.process.stopGraceMs,
  );
  lifecycle.add('worker', () => worker.stop());
  const groups = [
    [ConsumerGroup.Parse, config.worker.parseSlots],
    [ConsumerGroup.Index, config.worker.indexSlots],
    [ConsumerGroup.Delete, config.worker.deleteSlots],
  ] as const;
  const terms = { config, ground, worker, workerId, lifecycle };
  const intakes = groups.map(([group, slots]) => ({ group, intake: intakeOf(group, slots, terms) }));
  await worker.start(intakes.map(({ intake }) => intake));
  for (const { group, intake } of intakes) startFinder(group, intake, terms);
  const card = { id: workerId, host: hostname(), pid: process.pid, slots: Object.fromEntries(groups) };
  const presence = new WorkerPresence(ground.repositories.workers, card, config.worker.leaseMs, logger);
  lifecycle.add('worker-presence', () => presence.stop());
  await presence.start();
}

interface IntakeTerms {
  readonly config: AppConfig;
  readonly ground: Ground;
  readonly worker: Worker;
  readonly workerId: string;
  readonly lifecycle: Lifecycle;
}

function intakeOf(group: ConsumerGroup, slots: number, terms: IntakeTerms): TaskIntake {
  const { config, ground, worker, workerId, lifecycle } = terms;
  const consumer = ground.consumers.create(group);
  lifecycle.watch(`consumer-${group}`, () => consumer.health());
  const watch = setInterval(() => {
    if (consumer.health().gaveUp) lifecycle.onLost(new Error(`the consumer of group ${group} gave up`));
  }, watchEveryMs);
  watch.unref();
  lifecycle.add(`watch-${group}`, () => Promise.resolve(clearInterval(watch)));
  const { leases, letters } = ground.repositories;
  // Parses and deletions are quick to find that they are done already; the lock in front is for builds.
  const lock = group === ConsumerGroup.Index ? ground.redis?.lock : undefined;
  return new TaskIntake(
    {
      consumer,
      claims: new ClaimTask(leases, { workerId, leaseMs: config.worker.leaseMs }, lock),
      execute: (task) => worker.execute(task),
      urgent: (limit) => leases.claimable(typesOfGroup(group), 0, limit, [TaskPriority.Interactive]),
      letters,
      logger: lifecycle.logger.child({ part: 'intake', group }),
    },
    slots,
  );
}

/** Stops before the worker does, so that nothing is found for one that waits for its last work. */
function startFinder(group: ConsumerGroup, intake: TaskIntake, { config, ground, lifecycle }: IntakeTerms): void {
  const { findEveryMs, findAfterMs } = config.worker;
  const finder = new TaskFinder(
    {
      leases: ground.repositories.leases,
      intake,
      random: Math.random,
      logger: lifecycle.logger.child({ part: 'finder', group }),
    },
    { types: typesOfGroup(group), everyMs: findEveryMs, afterMs: findAfterMs },
  );
  lifecycle.add(`finder-${group}`, () => finder.stop());
  finder.start();
}

function parseStages(
  ground: Ground,
  text: TextParts,
  reading: Pick<ContentParseParts, 'parser' | 'spool'>,
): TaskStage[] {
  const { documents, texts, plans } = ground.repositories;
  return [
    new ContentParse({ documents, texts, ...reading }),
    new StrategyRoute({
      documents,
      texts,
      proposer: new PlanProposer(text.chunker, text.terms),
      plans: new StorePlan(plans, ground.ids),
    }),
  ];
}

function deleteStages({ repositories, objects }: Ground): TaskStage[] {
  const { deletions, versions, chunks } = repositories;
  return [new RemoveContent({ deletions, versions, chunks, objects })];
}

function buildStages(config: AppConfig, ground: Ground, text: TextParts): TaskStage[] {
  const { texts, plans, versions, chunks } = ground.repositories;
  const { chunker, embedder, segmenter, local } = text;
  const writer = new VersionWriter(versions, chunks, segmenter, ground.ids);
  return [
    new ChunkExecute({ texts, plans, cutter: chunker, writer, model: local.model, segmenter }),
    new Vectorize(embedder, chunks, writer, segmenter, config.worker.embedBatch),
    new IndexWrite({ versions, chunks, writer, model: local.model, segmenter }),
  ];
}
