import { DrainWatch } from '../messaging/draining/drain-watch.js';
import { JoinedConsumer } from '../messaging/draining/joined-consumer.js';
import type { MessageConsumers } from '../messaging/message-consumer.js';
import type { MessagePublisher } from '../messaging/message-publisher.js';
import { ConsumeMetrics } from '../metrics/consume-metrics.js';
import { MeteredPublisher } from '../metrics/metered-publisher.js';
import type { Metrics } from '../metrics/metrics.js';
import type { NamedBroker } from '../progress/read-workload.js';
import type { Lifecycle } from './lifecycle.js';
import { openBroker, type BrokerGround } from './open-broker.js';
import { openDrained } from './open-drained.js';

/** What the roles have of the brokers. */
export interface Brokers {
  readonly publisher: MessagePublisher;
  /** Read the broker in use and those that are drained as one. */
  readonly consumers: MessageConsumers;
  /** The one in use. */
  readonly current: NamedBroker;
  readonly drained: readonly NamedBroker[];
}

/** Opens the broker in use and those that are drained. @throws StartRefusal with what the one in use lacks. */
export async function startBrokers(ground: BrokerGround, lifecycle: Lifecycle, metrics: Metrics): Promise<Brokers> {
  const { broker: name, drained: left } = ground.config.broker;
  const broker = openBroker(name, ground);
  const publisher = new MeteredPublisher(broker.publisher, metrics);
  lifecycle.add('publisher', () => publisher.stop());
  lifecycle.watch('broker', () => publisher.health());
  await publisher.start();
  const consuming = new ConsumeMetrics(metrics);
  const drained = left.map((each) => {
    const consumers = openDrained(each, ground);
    watchDrained(each, new DrainWatch(consumers, ground.logger.child({ part: 'drain', broker: each })), lifecycle);
    return { name: each, consumers: consuming.metered(each, consumers) };
  });
  const current = { name, consumers: consuming.metered(name, broker.consumers) };
  return { publisher, consumers: joined(current, drained, lifecycle), current, drained };
}

/** One that does not answer is told of, and takes nothing out of service. */
function watchDrained(name: string, watch: DrainWatch, lifecycle: Lifecycle): void {
  lifecycle.add(`drain-${name}`, () => watch.stop());
  lifecycle.watchExtra(`drain-${name}`, () => watch.health());
  watch.start();
}

type ReadBroker = NamedBroker & { readonly consumers: MessageConsumers };

function joined(current: ReadBroker, drained: readonly ReadBroker[], lifecycle: Lifecycle): MessageConsumers {
  if (drained.length === 0) return current.consumers;
  return {
    create: (group) => {
      const left = drained.map(({ name, consumers }) => {
        const consumer = consumers.create(group);
        lifecycle.watchExtra(`drain-${name}-${group}`, () => consumer.health());
        return consumer;
      });
      return new JoinedConsumer(current.consumers.create(group), left);
    },
    lag: (deadlineMs) => current.consumers.lag(deadlineMs),
  };
}
