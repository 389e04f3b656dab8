import { KafkaConsumers } from '../../adapters/kafka/kafka-consumers.js';
import type { KafkaOptions } from '../../adapters/kafka/kafka-options.js';
import { silentLogger } from '../../logging/logger.js';
import type { MessageConsumers } from '../../messaging/message-consumer.js';
import type { ConsumerGroup } from '../../messaging/topic.js';
import type { ProcessBehaviour } from '../contract/messaging-broker.js';

/** What the process is told to be, as JSON in its first argument. */
export interface ConsumerOrder {
  readonly group: ConsumerGroup;
  readonly behaviour: ProcessBehaviour;
  readonly broker: { readonly type: 'kafka'; readonly options: KafkaOptions & { readonly sessionMs: number } };
}

const { group, behaviour, broker } = JSON.parse(process.argv[2] ?? '') as ConsumerOrder;

function open(): Promise<MessageConsumers> {
  return Promise.resolve(new KafkaConsumers(broker.options, silentLogger));
}

const consumer = (await open()).create(group);
await consumer.start(({ key }) => {
  process.send?.(key ?? '');
  return behaviour === 'accept' ? Promise.resolve({ type: 'done' }) : new Promise(() => undefined);
});
