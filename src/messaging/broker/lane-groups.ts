import { brokerName, bulkTopics, topicsOfGroup, type ConsumerGroup, type Topic } from '../topic.js';

/** The members of one lane as the broker knows them. */
export interface LaneGroup {
  readonly id: string;
  readonly topics: readonly Topic[];
}

/** The lanes that the consumers of a group read: bulk topics have one of their own. Most urgent first. */
export function laneGroupsOf(prefix: string, group: ConsumerGroup): readonly LaneGroup[] {
  const id = brokerName(prefix, group);
  const members = topicsOfGroup[group];
  return [
    { id, topics: members.filter((topic) => !bulkTopics.has(topic)) },
    { id: `${id}-bulk`, topics: members.filter((topic) => bulkTopics.has(topic)) },
  ].filter(({ topics }) => topics.length > 0);
}
