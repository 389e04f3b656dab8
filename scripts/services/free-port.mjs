import { once } from 'node:events';
import { createServer, connect } from 'node:net';

/** Ports of this machine that nobody uses, all different. */
export async function freePorts(count) {
  const servers = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'));
  await Promise.all(servers.map((server) => once(server, 'listening')));
  const ports = servers.map((server) => server.address().port);
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}

/** True if somebody listens there. */
export function answers(port) {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => done(true)).once('error', () => done(false));
    const done = (answer) => {
      socket.destroy();
      resolve(answer);
    };
  });
}
