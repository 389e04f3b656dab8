import { brokerName, lanesOf, type ConsumerGroup, type Topic } from '../topic.js';

/** The members of one lane as the broker knows them. */
export interface LaneGroup {
  readonly id: string;
  readonly topic: Topic;
}

/** The lanes that the consumers of a group read, most urgent first. */
export function laneGroupsOf(prefix: string, group: ConsumerGroup): readonly LaneGroup[] {
  const id = brokerName(prefix, group);
  const [interactive, bulk] = lanesOf(group);
  return [
    { id, topic: interactive },
    { id: `${id}-bulk`, topic: bulk },
  ];
}
