import { brokerName, bulkTopics, topicsOfGroup, type ConsumerGroup, type Topic } from '../../messaging/topic.js';

/** A group as the broker knows it. */
export interface KafkaGroup {
  readonly id: string;
  readonly topics: readonly Topic[];
}

/** The groups that the consumers of a group form: bulk topics are read by one of their own. Most urgent first. */
export function kafkaGroupsOf(prefix: string, group: ConsumerGroup): readonly KafkaGroup[] {
  const id = brokerName(prefix, group);
  const members = topicsOfGroup[group];
  return [
    { id, topics: members.filter((topic) => !bulkTopics.has(topic)) },
    { id: `${id}-bulk`, topics: members.filter((topic) => bulkTopics.has(topic)) },
  ].filter(({ topics }) => topics.length > 0);
}
