import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';

/** Runs in a process of its own, which has no network afterwards. */
const attempts = `
import { denyNetwork } from ${JSON.stringify(fileURLToPath(new URL('./deny-network.ts', import.meta.url)))};
import dgram from 'node:dgram';
import dns from 'node:dns';
import http from 'node:http';
import net from 'node:net';
denyNetwork();
const refused = async (way) => { try { await way(); return false; } catch (error) { return /no network/.test(String(error.cause ?? error)); } };
const results = {
  net: await refused(() => net.connect(1, '127.0.0.1')),
  http: await refused(() => new Promise((resolve, reject) => http.get('http://127.0.0.1:1', resolve).on('error', reject))),
  fetch: await refused(() => fetch('http://127.0.0.1:9999')),
  listen: await refused(() => net.createServer().listen(0)),
  udp: await refused(() => dgram.createSocket('udp4').send('x', 1, '127.0.0.1')),
  lookup: await refused(() => dns.lookup('localhost', () => undefined)),
  resolver: await refused(() => new dns.promises.Resolver().resolve4('localhost')),
};
console.log(JSON.stringify(results));
process.exit();
`;

describe('denyNetwork', () => {
  it('takes every way out of the process that Node.js has', () => {
    const args = ['--import', './ts-loader.mjs', '--input-type=module', '--eval', attempts];
    const results = JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' })) as Record<string, boolean>;
    expect(results).toEqual({
      net: true,
      http: true,
      fetch: true,
      listen: true,
      udp: true,
      lookup: true,
      resolver: true,
    });
  });
});
