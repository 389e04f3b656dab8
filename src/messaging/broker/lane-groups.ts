import { brokerName, lanesOf, topics, type ConsumerGroup, type Topic } from '../topic.js';

/** The members of one lane as the broker knows them. */
export interface LaneGroup {
  readonly id: string;
  readonly topic: Topic;
}

/**
 * The lanes that the consumers of a group read, most urgent first.
 *
 * @param read those of all topics that are read
 */
export function laneGroupsOf(
  prefix: string,
  group: ConsumerGroup,
  read: readonly Topic[] = topics,
): readonly LaneGroup[] {
  const id = brokerName(prefix, group);
  const [interactive, bulk] = lanesOf(group);
  return [
    { id, topic: interactive },
    { id: `${id}-bulk`, topic: bulk },
  ].filter(({ topic }) => read.includes(topic));
}
