import type { Admin } from 'kafkajs';
import type { Logger } from '../../logging/logger.js';
import { laneGroupsOf, type LaneGroup } from '../../messaging/broker/lane-groups.js';
import { withDeadline } from '../../messaging/deadline.js';
import { brokerName, consumerGroups, type Topic } from '../../messaging/topic.js';
import { withAdmin } from './kafka-admin.js';
import type { KafkaReading } from './kafka-options.js';

/** How far each topic's group is behind its end. @throws AppError BROKER_UNAVAILABLE, at the latest after `deadlineMs`. */
export function readLag(
  options: KafkaReading,
  deadlineMs: number,
  logger: Logger,
): Promise<ReadonlyMap<Topic, number>> {
  const { prefix, found } = options;
  const groups = consumerGroups.flatMap((group) => laneGroupsOf(prefix, group, found));
  // Closing a connection that hangs takes a while, which is nobody's concern.
  return withDeadline(deadlineMs, () =>
    withAdmin(options, deadlineMs, logger, async (admin) => {
      return new Map(await Promise.all(groups.map((group) => lagOf(admin, prefix, group))));
    }),
  );
}

async function lagOf(admin: Admin, prefix: string, { id: groupId, topic }: LaneGroup): Promise<[Topic, number]> {
  const name = brokerName(prefix, topic);
  const [[read], ends] = await Promise.all([
    admin.fetchOffsets({ groupId, topics: [name] }),
    admin.fetchTopicOffsets(name),
  ]);
  const lags = ends.map(({ partition, high, low }) => {
    // A group that has read nothing says -1, and begins with what is still kept.
    const offset = Number(read?.partitions.find((each) => each.partition === partition)?.offset ?? -1);
    return Number(high) - Math.max(offset, Number(low));
  });
  return [topic, lags.reduce((sum, lag) => sum + Math.max(0, lag), 0)];
}
