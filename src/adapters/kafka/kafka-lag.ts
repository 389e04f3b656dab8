import type { Admin } from 'kafkajs';
import type { Logger } from '../../logging/logger.js';
import { laneGroupsOf, type LaneGroup } from '../../messaging/broker/lane-groups.js';
import { withDeadline } from '../../messaging/deadline.js';
import { brokerName, ConsumerGroup, type Topic } from '../../messaging/topic.js';
import { withAdmin } from './kafka-admin.js';
import type { KafkaOptions } from './kafka-options.js';

/** How far each topic's group is behind its end. @throws AppError BROKER_UNAVAILABLE, at the latest after `deadlineMs`. */
export function readLag(
  options: KafkaOptions,
  deadlineMs: number,
  logger: Logger,
): Promise<ReadonlyMap<Topic, number>> {
  const groups = Object.values(ConsumerGroup).flatMap((group) => laneGroupsOf(options.prefix, group));
  // Closing a connection that hangs takes a while, which is nobody's concern.
  return withDeadline(deadlineMs, () =>
    withAdmin(options, deadlineMs, logger, async (admin) => {
      const lags = await Promise.all(groups.map((group) => lagsOf(admin, options.prefix, group)));
      return new Map(lags.flat());
    }),
  );
}

async function lagsOf(admin: Admin, prefix: string, { id, topics }: LaneGroup): Promise<[Topic, number][]> {
  const names = topics.map((topic) => brokerName(prefix, topic));
  const [committed, ...ends] = await Promise.all([
    admin.fetchOffsets({ groupId: id, topics: names }),
    ...names.map((name) => admin.fetchTopicOffsets(name)),
  ]);
  return topics.map((topic, at) => {
    const read = committed.find((each) => each.topic === names[at])?.partitions ?? [];
    const lags = (ends[at] ?? []).map(({ partition, high, low }) => {
      // A group that has read nothing says -1, and begins with what is still kept.
      const offset = Number(read.find((each) => each.partition === partition)?.offset ?? -1);
      return Number(high) - Math.max(offset, Number(low));
    });
    return [topic, lags.reduce((sum, lag) => sum + Math.max(0, lag), 0)];
  });
}
