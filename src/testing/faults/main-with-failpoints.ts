// The program as it is delivered, with failpoints in its parts. Orders come through the channel to the parent process:
// neither configuration nor production code knows of them.
import { KafkaConsumers } from '../../adapters/kafka/kafka-consumers.js';
import type { MessageConsumer } from '../../messaging/message-consumer.js';
import { decorate } from './failpoint.js';
import { failpoints, namesOf } from './failpoints.js';
import { Striker } from './striker.js';
import type { Order } from './strike.js';

/** The group forgets a killed member soon, in ms, so that a loop over all failpoints takes minutes. */
const sessionMs = 3_000;

const striker = new Striker(
  (reached) =>
    new Promise((resolve, reject) => {
      process.send?.(reached, (error: Error | null) => (error ? reject(error) : resolve()));
    }),
);
for (const name of namesOf(failpoints)) decorate(failpoints[name], () => striker.reach(name));

const consumers = KafkaConsumers.prototype as unknown as Record<'create', (...args: unknown[]) => MessageConsumer>;
const create = consumers.create;
consumers.create = function (this: { options: object }, ...args) {
  this.options = { ...this.options, sessionMs };
  return create.apply(this, args);
};

process.on('message', (order: Order) => striker.obey(order));
// Whoever gave the orders is gone: nobody else would end this process.
process.on('disconnect', () => process.exit(1));

await import('../../main.js');
