import { partitionOf } from '../../../messaging/broker/partition-of.js';
import { brokerName, destinations, isDeadLetters, type Destination } from '../../../messaging/topic.js';
import type { StreamOptions } from './stream-options.js';

/** What the names of streams follow from. */
export type StreamNaming = Pick<StreamOptions, 'prefix' | 'partitions'>;

/** The streams that share the messages of a destination; dead letters of a kind lie in one. */
export function streamsOf({ prefix, partitions }: StreamNaming, destination: Destination): string[] {
  const name = brokerName(prefix, destination);
  if (isDeadLetters(destination)) return [name];
  return Array.from({ length: partitions }, (_, n) => `${name}:${n}`);
}

/** The one stream in which messages of a key for a destination keep their order. */
export function streamFor(naming: StreamNaming, destination: Destination, key: string): string {
  const streams = streamsOf(naming, destination);
  return streams[partitionOf(key, streams.length)] as string;
}

/** Full names of all streams of an environment, the dead letters' last. */
export function allStreams(naming: StreamNaming): string[] {
  return destinations.flatMap((each) => streamsOf(naming, each));
}

/** The topic of a stream, without the environment's prefix. */
export function topicOfStream(prefix: string, stream: string): string {
  return stream.slice(prefix.length + 1).replace(/:\d+$/, '');
}

/** Where the reader of a stream is named. */
export function ownerKey(stream: string): string {
  return `${stream}:owner`;
}

/** Where those are listed that share the streams of a group. */
export function membersKey(group: string): string {
  return `${group}:members`;
}

/** Where the number of partitions is noted, which all processes of an environment must agree on. */
export function partitionsKey(prefix: string): string {
  return `${prefix}:partitions`;
}
