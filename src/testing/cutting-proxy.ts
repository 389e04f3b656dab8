import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** Forwards TCP to a server and cuts the line where a test wants it. */
export class CuttingProxy {
  private readonly sockets = new Set<Socket>();
  private mark: Buffer | undefined;
  private holding = false;

  private constructor(
    private readonly server: Server,
    private readonly target: { host: string; port: number },
  ) {}

  static async to(host: string, port: number): Promise<CuttingProxy> {
    const server = createServer();
    const proxy = new CuttingProxy(server, { host, port });
    server.on('connection', (client) => proxy.forward(client)).listen(0, '127.0.0.1');
    await once(server, 'listening');
    return proxy;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** From now on nothing that the server says reaches a client, and the line stays open. */
  holdAnswers(): void {
    this.holding = true;
  }

  /** Whoever waited for an answer that was held back does not get it any more. */
  releaseAnswers(): void {
    this.holding = false;
  }

  /** Ends all connections. */
  cut(): void {
    for (const socket of this.sockets) socket.destroy();
  }

  /** The next time a client says this, it still reaches the server, but its answer does not reach the client. */
  swallowAnswerTo(words: string): void {
    this.mark = Buffer.from(words);
  }

  async close(): Promise<void> {
    this.cut();
    this.server.close();
    await once(this.server, 'close');
  }

  private forward(client: Socket): void {
    const server = connect(this.target);
    let cut = false;
    for (const socket of [client, server]) {
      this.sockets.add(socket);
      socket.on('error', () => undefined).once('close', () => this.sockets.delete(socket));
    }
    client.on('data', (data) => {
      if (this.mark && data.includes(this.mark)) {
        cut = true;
        this.mark = undefined;
      }
      server.write(data);
    });
    server.on('data', (data) => {
      if (cut) client.destroy();
      else if (!this.holding) client.write(data);
    });
    client.once('close', () => server.end());
    server.once('close', () => client.destroy());
  }
}
