import { areas } from './areas.js';
import type { Setting, Settings, Values } from './setting.js';

export type AppConfig = { readonly [A in keyof typeof areas]: Values<(typeof areas)[A]> };

export type ProcessConfig = AppConfig['process'];
export type HttpConfig = AppConfig['http'];
export type DatabaseConfig = AppConfig['database'];
export type BrokerConfig = AppConfig['broker'];
export type KafkaConfig = AppConfig['kafka'];
export type EmbeddingConfig = AppConfig['embedding'];
export type ParseConfig = AppConfig['parse'];
export type ChunkingConfig = AppConfig['chunking'];
export type WorkerConfig = AppConfig['worker'];
export type UpkeepConfig = AppConfig['upkeep'];

/** All that is wrong with the environment, by the names of the variables; values are never repeated. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';

  constructor(readonly problems: readonly string[]) {
    super(`The configuration is not valid:\n${problems.map((problem) => `  ${problem}`).join('\n')}`);
  }
}

/** Reads, checks and freezes the configuration. Throws one {@link ConfigError} that names every problem. */
export function loadConfig(env: Readonly<Record<string, string | undefined>>): AppConfig {
  const problems: string[] = [];
  const read = (setting: Setting<unknown>): unknown => {
    const raw = env[setting.env];
    const result = setting.schema.safeParse(raw === '' ? undefined : raw);
    if (result.success) return result.data;
    problems.push(`${setting.env} ${result.error.issues[0]?.message ?? 'is not valid'}`);
    return undefined;
  };
  const config: Record<string, unknown> = {};
  for (const [area, settings] of Object.entries(areas) as [string, Settings][]) {
    config[area] = Object.freeze(
      Object.fromEntries(Object.entries(settings).map(([name, setting]) => [name, read(setting)])),
    );
  }
  if (problems.length === 0) problems.push(...contradictions(config as unknown as AppConfig));
  if (problems.length > 0) throw new ConfigError(problems);
  return Object.freeze(config) as unknown as AppConfig;
}

/** What is valid variable by variable but not together. */
function contradictions(config: AppConfig): string[] {
  const problems: string[] = [];
  if (!config.database.url && config.process.roles.length < areas.process.roles.defaultText.split(',').length) {
    problems.push('ROLES needs DATABASE_URL: the embedded database belongs to one process that runs every role');
  }
  if (config.database.url && config.broker.sendsWaiting >= config.database.poolSize) {
    problems.push('SENDS_WAITING_MAX must be smaller than DATABASE_POOL_SIZE');
  }
  const { sasl, username, password, tls, caFile } = config.kafka;
  if (sasl !== 'none' && !(username && password)) {
    problems.push('KAFKA_SASL needs KAFKA_USERNAME and KAFKA_PASSWORD');
  }
  if (caFile && tls === 'off') problems.push('KAFKA_TLS_CA needs KAFKA_TLS=on');
  problems.push(...brokerProblems(config));
  if (config.worker.retryDelayMs > config.worker.retryDelayMaxMs) {
    problems.push('RETRY_DELAY_MS must not be greater than RETRY_DELAY_MAX_MS');
  }
  return problems;
}

/** Each broker in use must be reachable, and none be left for itself. */
function brokerProblems({ broker: { broker, drained }, rabbitmq, redis }: AppConfig): string[] {
  const problems = drained.includes(broker) ? ['DRAIN_BROKERS must not name BROKER itself'] : [];
  const addresses = [
    ['rabbitmq', 'AMQP_URL', rabbitmq.url],
    ['redis', 'REDIS_URL', redis.url],
  ] as const;
  for (const [name, variable, url] of addresses) {
    if (url) continue;
    if (broker === name) problems.push(`BROKER=${name} needs ${variable}`);
    else if (drained.includes(name)) problems.push(`DRAIN_BROKERS with ${name} needs ${variable}`);
  }
  return problems;
}
