import 'reflect-metadata';
import type { PoolConfig } from 'pg';
import { DataSource, type Logger as TypeormLogger } from 'typeorm';
import type { BrokerConfig, DatabaseConfig } from '../config/app-config.js';
import type { Logger } from '../logging/logger.js';
import type { DatabaseConnection } from './connection.js';
import { TaskEntity } from './entities/task.entity.js';
import { migrations } from './migrations.js';

/** Bounds of everything a connection can wait for, in ms; 0 is no bound. */
export interface SessionLimits {
  /** Waiting for a free connection, and opening one. */
  readonly connectTimeoutMs: number;
  /** One statement, enforced by the server. */
  readonly statementTimeoutMs: number;
  /** Silence inside an open transaction, after which the server ends the session. */
  readonly idleInTransactionMs: number;
}

/** How much later than the server the client gives up on a statement: only a server that hangs gets that far. */
const answerGraceMs = 5_000;

/** On the single session of the embedded database every waiting caller stands in one queue. */
const embeddedConnectTimeoutMs = 30_000;

/** Derives the bounds: a transaction may lie still while a message waits for its broker, and no longer. */
export function sessionLimits(config: {
  readonly database: DatabaseConfig;
  readonly broker: Pick<BrokerConfig, 'sendDeadlineMs'>;
}): SessionLimits {
  return {
    connectTimeoutMs: config.database.connectTimeoutMs,
    statementTimeoutMs: config.database.statementTimeoutMs,
    idleInTransactionMs: config.broker.sendDeadlineMs * 2 + 10_000,
  };
}

/** The TypeORM data source, not yet connected. It never changes the schema; migrations do. */
export function createDataSource(connection: DatabaseConnection, limits: SessionLimits, logger: Logger): DataSource {
  return new DataSource({
    type: 'postgres',
    entities: [TaskEntity],
    migrations,
    migrationsTableName: 'schema_migration',
    migrationsRun: false,
    synchronize: false,
    installExtensions: false,
    logger: warningsOnly(logger),
    poolErrorHandler: (error: unknown) => logger.warn('an idle database connection was lost', { error }),
    extra: poolOptions(connection, limits),
  });
}

/** Statements and their failures are told by whoever runs them. */
function warningsOnly(logger: Logger): TypeormLogger {
  const nothing = (): void => undefined;
  return {
    logQuery: nothing,
    logQueryError: nothing,
    logQuerySlow: nothing,
    logSchemaBuild: nothing,
    logMigration: nothing,
    log: (level, message: unknown) => {
      if (level === 'warn') logger.warn('the database library warns', { detail: message });
    },
  };
}

function poolOptions(connection: DatabaseConnection, limits: SessionLimits): PoolConfig {
  const embedded = connection.kind === 'pglite';
  const connectTimeoutMs = Math.max(limits.connectTimeoutMs, embedded ? embeddedConnectTimeoutMs : 0);
  return {
    ...connection.address,
    max: connection.poolSize,
    application_name: 'indexwright',
    connectionTimeoutMillis: connectTimeoutMs,
    statement_timeout: limits.statementTimeoutMs,
    idle_in_transaction_session_timeout: limits.idleInTransactionMs,
    query_timeout: limits.statementTimeoutMs === 0 ? 0 : limits.statementTimeoutMs + answerGraceMs,
    // Statements need not wait for the answers of those before them, only for their turn.
    pipeline: true,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    ...(embedded ? {} : { options: '-c TimeZone=UTC' }),
  };
}
