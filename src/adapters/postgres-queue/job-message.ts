import type { IncomingMessage } from '../../messaging/message-consumer.js';
import type { MessageHeaders } from '../../messaging/message-publisher.js';
import type { QueueJob } from './queue-jobs.js';

/** What a job holds of a message. The value is text, so that its bytes stay as they were. */
export interface JobData {
  readonly value: string | null;
  readonly headers: MessageHeaders;
}

/** A job in the words of the port. One that somebody else put into the queue has its whole data as value. */
export function incomingMessage(job: QueueJob, prefix: string): IncomingMessage {
  const start = `${prefix}-`;
  const { value, headers } = jobData(job.data);
  return {
    topic: job.queue.startsWith(start) ? job.queue.slice(start.length) : job.queue,
    key: job.key,
    value: value === null ? null : Buffer.from(value, 'utf8'),
    headers,
  };
}

/** The message in a job's data, whoever wrote it. */
export function jobData(data: unknown): JobData {
  if (data === null || data === undefined) return { value: null, headers: {} };
  if (!isJobData(data)) return { value: JSON.stringify(data), headers: {} };
  const texts = Object.entries(data.headers).filter(([, value]) => typeof value === 'string');
  return { value: data.value, headers: Object.fromEntries(texts) };
}

function isJobData(data: unknown): data is JobData {
  if (typeof data !== 'object' || data === null) return false;
  const { value, headers } = data as Partial<Record<keyof JobData, unknown>>;
  return (typeof value === 'string' || value === null) && typeof headers === 'object' && headers !== null;
}
