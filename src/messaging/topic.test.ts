import { describe, expect, it } from '@jest/globals';
import { taskPriorities, TaskPriority } from '../domain/task/task-priority.js';
import { TaskType } from '../domain/task/task-type.js';
import { destinationOf } from './destination-of.js';
import { consumerGroups, deadLetters, deadLettersOf, destinations, groupOf } from './topic.js';
import { lanesOf, priorityOf, readersOf, topicOf, topics, topicsOf, typesOfGroup } from './topic.js';

const types = Object.values(TaskType);

describe('the map of topics', () => {
  it('has each topic read by one group, in one lane, and each kind of dead letters belong to one', () => {
    expect(consumerGroups.flatMap(lanesOf).sort()).toEqual([...topics].sort());
    expect(consumerGroups.map(deadLettersOf).sort()).toEqual([...deadLetters].sort());
    expect(new Set(destinations).size).toBe(destinations.length);
  });

  it.each(types)('leads tasks of type %s of either priority to their own group', (type) => {
    expect(typesOfGroup(groupOf(type))).toContain(type);
    for (const priority of taskPriorities) {
      const topic = topicOf(type, priority);
      expect([readersOf(topic), priorityOf(topic)]).toEqual([groupOf(type), priority]);
    }
  });

  it('keeps builds that people ask for on the topic that others know', () => {
    expect(topicOf(TaskType.BuildIndex, TaskPriority.Interactive)).toBe('document-index-build');
  });

  it('counts every topic for the tasks that travel on it', () => {
    expect(types.flatMap(topicsOf).sort()).toEqual([...topics].sort());
  });

  it('sends a stored message of an older version to the dead letters of its kind', () => {
    expect(destinationOf('dead-letter', { 'x-task-type': 'PARSE_DOCUMENT' })).toBe('document-parse-dead-letter');
    expect(destinationOf('dead-letter', { 'x-task-type': 'REBUILD_INDEX' })).toBe('document-index-build-dead-letter');
    expect(destinationOf('dead-letter', {})).toBeUndefined();
    expect(destinationOf('document-index-build', {})).toBe('document-index-build');
    expect(destinationOf('elsewhere', {})).toBeUndefined();
  });
});
