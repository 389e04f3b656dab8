import { connect, isIP, Socket } from 'node:net';
import { connect as connectEncrypted } from 'node:tls';
import { Kafka, logLevel, type ISocketFactory } from 'kafkajs';
import type { Logger } from '../../logging/logger.js';
import type { KafkaAccess } from './kafka-options.js';

export interface KafkaClientOptions extends KafkaAccess {
  readonly requestMs: number;
  /** How often kafkajs itself tries again inside one call. */
  readonly retries: number;
}

const keepAliveMs = 10_000;

/**
 * A kafkajs client whose connections can all be cut at once: kafkajs waits for answers before it closes a connection,
 * and calls that are still retrying open new ones.
 */
export class KafkaClient {
  readonly kafka: Kafka;
  private readonly sockets = new Set<Socket>();
  private isCut = false;

  constructor(options: KafkaClientOptions, logger: Logger) {
    this.kafka = new Kafka({
      clientId: 'indexwright',
      brokers: [...options.brokers],
      ...(options.tls ? { ssl: options.tls } : {}),
      ...(options.sasl ? { sasl: options.sasl } : {}),
      connectionTimeout: Math.max(250, options.requestMs / 3),
      requestTimeout: options.requestMs,
      retry: { retries: options.retries, initialRetryTime: 100, maxRetryTime: 1_000, factor: 0.2, multiplier: 2 },
      socketFactory: this.openSocket,
      logLevel: logLevel.WARN,
      // It reports at ERROR what it goes on to retry. What matters is told by the parts that know the outcome.
      logCreator:
        () =>
        ({ log: { message } }) =>
          logger.debug('kafkajs', { message }),
    });
  }

  /** Ends every connection now and lets none be opened any more. */
  cut(): void {
    this.isCut = true;
    for (const socket of this.sockets) socket.destroy(new Error('the connection was cut'));
  }

  private readonly openSocket: ISocketFactory = ({ host, port, ssl, onConnect }) => {
    if (this.isCut) return refusedSocket();
    // A name to be sent along must be one; an address is looked for in the certificate all the same.
    const servername = isIP(host) ? {} : { servername: host };
    const socket = ssl
      ? connectEncrypted({ host, port, ...servername, ...ssl }, onConnect)
      : connect({ host, port }, onConnect);
    socket.setKeepAlive(true, keepAliveMs);
    socket.setNoDelay(true);
    this.sockets.add(socket);
    socket.once('close', () => this.sockets.delete(socket));
    return socket;
  };
}

/** Fails as a connection does that nobody answers. */
function refusedSocket(): Socket {
  const socket = new Socket();
  setImmediate(() => socket.destroy(new Error('the client was cut off')));
  return socket;
}
