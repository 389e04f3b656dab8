import type { IncomingMessage } from '../../messaging/message-consumer.js';
import type { MessageHeaders } from '../../messaging/message-publisher.js';
import { isText } from '../../messaging/text-bytes.js';
import type { QueueJob } from './queue-jobs.js';

/** What a job holds of a message. */
export interface JobData {
  /** The value as text, so that its bytes stay as they were. */
  readonly value: string | null;
  /** What the value is written in where it is no text; JSON cannot hold such bytes. */
  readonly encoding?: 'base64';
  readonly headers: MessageHeaders;
}

/** A message as a job holds it. */
export function jobDataOf(value: Buffer | null, headers: MessageHeaders): JobData {
  if (value === null || isText(value)) return { value: value?.toString('utf8') ?? null, headers };
  return { value: value.toString('base64'), encoding: 'base64', headers };
}

/** A job in the words of the port. One that somebody else put into the queue has its whole data as value. */
export function incomingMessage(job: QueueJob, prefix: string): IncomingMessage {
  const start = `${prefix}-`;
  const data = jobData(job.data);
  return {
    topic: job.queue.startsWith(start) ? job.queue.slice(start.length) : job.queue,
    key: job.key,
    value: valueOf(data),
    headers: data.headers,
  };
}

/** The bytes of the value. */
export function valueOf({ value, encoding }: JobData): Buffer | null {
  return value === null ? null : Buffer.from(value, encoding ?? 'utf8');
}

/** The message in a job's data, whoever wrote it. */
export function jobData(data: unknown): JobData {
  if (data === null || data === undefined) return { value: null, headers: {} };
  if (!isJobData(data)) return { value: JSON.stringify(data), headers: {} };
  const texts = Object.entries(data.headers).filter(([, value]) => typeof value === 'string');
  const encoding = data.encoding === 'base64' ? { encoding: data.encoding } : {};
  return { value: data.value, ...encoding, headers: Object.fromEntries(texts) };
}

function isJobData(data: unknown): data is JobData {
  if (typeof data !== 'object' || data === null) return false;
  const { value, headers } = data as Partial<Record<keyof JobData, unknown>>;
  return (typeof value === 'string' || value === null) && typeof headers === 'object' && headers !== null;
}
