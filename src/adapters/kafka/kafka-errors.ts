/** What kafkajs puts on its errors; none of it is sure to be there. */
interface KafkaErrorFields {
  readonly name?: unknown;
  readonly message?: unknown;
  /** The broker's own name of the error. */
  readonly type?: unknown;
  readonly cause?: unknown;
  /** The parts of an error about several topics. */
  readonly errors?: unknown;
}

/** Answers of a broker that are about the message itself. */
const refusals = new Set([
  'MESSAGE_TOO_LARGE',
  'RECORD_LIST_TOO_LARGE',
  'INVALID_RECORD',
  'INVALID_TIMESTAMP',
  'INVALID_TOPIC_EXCEPTION',
  'UNSUPPORTED_FOR_MESSAGE_FORMAT',
]);

/** Names under which kafkajs reports that it cannot talk to a broker. */
const silences = new Set([
  'KafkaJSConnectionError',
  'KafkaJSConnectionClosedError',
  'KafkaJSRequestTimeoutError',
  'KafkaJSBrokerNotFound',
  'KafkaJSNoBrokerAvailableError',
  'KafkaJSGroupCoordinatorNotFound',
  'KafkaJSMetadataNotLoaded',
  'KafkaJSLockTimeout',
]);

/** True when the broker refuses the message for what it is: the same again would be refused again. */
export function isRefusal(error: unknown): boolean {
  return chain(error).some(({ type }) => refusals.has(String(type)));
}

/** True when a topic is not there. */
export function isMissingTopic(error: unknown): boolean {
  return chain(error).some(({ type }) => type === 'UNKNOWN_TOPIC_OR_PARTITION');
}

/** True when the broker answered, though not with what was wanted. */
export function isAnswer(error: unknown): boolean {
  return chain(error).some(({ type }) => typeof type === 'string');
}

/** True when the broker is away or answers with an error of its own: waiting may help, nothing is wrong on this side. */
export function isOutage(error: unknown): boolean {
  return chain(error).some(({ name, type }) => silences.has(String(name)) || typeof type === 'string');
}

/** One line for logs and health, without the stack. */
export function describeKafkaError(error: unknown): string {
  const innermost = chain(error).at(-1);
  if (Array.isArray(innermost?.errors)) return [...new Set(innermost.errors.map(describeKafkaError))].join('; ');
  return typeof innermost?.message === 'string' ? innermost.message : String(error);
}

/** The error and its causes, outermost first. */
function chain(error: unknown): KafkaErrorFields[] {
  const links: KafkaErrorFields[] = [];
  for (let link = error; typeof link === 'object' && link !== null && links.length < 8;) {
    const fields: KafkaErrorFields = link;
    if (links.includes(fields)) break;
    links.push(fields);
    link = fields.cause;
  }
  return links;
}
