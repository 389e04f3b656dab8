import dgram from 'node:dgram';
import dns from 'node:dns';
import net from 'node:net';

/**
 * Takes the network from this process, for good: what it reads may name addresses, and nothing it does may follow them.
 * Holds for code that goes through Node.js; a native library could still open sockets of its own.
 */
export function denyNetwork(): void {
  const refuse = (): never => {
    throw new Error('This process has no network.');
  };
  net.Socket.prototype.connect = refuse;
  net.Server.prototype.listen = refuse;
  dgram.Socket.prototype.bind = refuse;
  dgram.Socket.prototype.connect = refuse;
  dgram.Socket.prototype.send = refuse;
  for (const way of [dns, dns.promises, dns.Resolver.prototype, dns.promises.Resolver.prototype] as object[]) {
    for (const name of namesOf(way)) {
      if (/^(?:lookup|resolve|reverse)/.test(name)) Object.defineProperty(way, name, { value: refuse });
    }
  }
}

function namesOf(way: object): string[] {
  const inherited = Object.getPrototypeOf(way) as object | null;
  const own = Object.getOwnPropertyNames(way);
  return inherited && inherited !== Object.prototype ? [...own, ...Object.getOwnPropertyNames(inherited)] : own;
}
