import { brokerSettings } from './areas/broker-settings.js';
import { chunkingSettings } from './areas/chunking-settings.js';
import { databaseSettings } from './areas/database-settings.js';
import { embeddingSettings } from './areas/embedding-settings.js';
import { httpSettings } from './areas/http-settings.js';
import { kafkaSettings } from './areas/kafka-settings.js';
import { limitSettings } from './areas/limit-settings.js';
import { parseSettings } from './areas/parse-settings.js';
import { processSettings } from './areas/process-settings.js';
import { rabbitmqSettings } from './areas/rabbitmq-settings.js';
import { redisSettings } from './areas/redis-settings.js';
import { retentionSettings } from './areas/retention-settings.js';
import { toolSettings } from './areas/tool-settings.js';
import { upkeepSettings } from './areas/upkeep-settings.js';
import { workerSettings } from './areas/worker-settings.js';

/** Every area, in the order of the documentation. */
export const areas = {
  process: processSettings,
  http: httpSettings,
  database: databaseSettings,
  broker: brokerSettings,
  kafka: kafkaSettings,
  rabbitmq: rabbitmqSettings,
  redis: redisSettings,
  embedding: embeddingSettings,
  parse: parseSettings,
  chunking: chunkingSettings,
  worker: workerSettings,
  limits: limitSettings,
  upkeep: upkeepSettings,
  retention: retentionSettings,
  tools: toolSettings,
} as const;
