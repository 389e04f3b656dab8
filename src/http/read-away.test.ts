import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { expect, it } from '@jest/globals';
import { readAway } from './read-away.js';

it('closes on a client that goes on sending after its answer', async () => {
  const server = createServer((request, response) => {
    response.once('finish', () => readAway(request, 100));
    response.writeHead(413).end('too large');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  const parts: Buffer[] = [];
  socket.on('data', (part) => parts.push(part));
  socket.on('error', () => undefined);
  // A reset counts as closed, too: `once` would reject with it.
  const closed = new Promise((resolve) => socket.once('close', resolve));
  socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000000\r\n\r\n');
  const flood = setInterval(() => socket.write(Buffer.alloc(10_000)), 5);
  await closed;
  clearInterval(flood);
  expect(Buffer.concat(parts).toString()).toContain('too large');
  server.close();
});
