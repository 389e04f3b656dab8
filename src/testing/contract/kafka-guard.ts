import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const storePassword = 'only-for-tests';
const plain = 'org.apache.kafka.common.security.plain.PlainLoginModule required';
const scram = 'org.apache.kafka.common.security.scram.ScramLoginModule required';

/** Whom a guarded broker lets in, by every mechanism. */
export const guest = { username: 'guest', password: 'of the tests' } as const;

/** What makes a broker encrypt and ask who comes. */
export interface Guard {
  readonly settings: readonly string[];
  /** Of the tool that prepares its storage. */
  readonly formatOptions: readonly string[];
}

/** Where a client finds the certificate that a guarded broker shows. */
export function certificateIn(folder: string): string {
  return join(folder, 'ca.pem');
}

/** Makes a certificate for 127.0.0.1 in the folder. Needs Java's keytool. */
export async function makeGuard(folder: string): Promise<Guard> {
  const store = join(folder, 'broker.p12');
  const access = ['-keystore', store, '-storepass', storePassword, '-alias', 'broker'];
  const names = ['-dname', 'CN=broker', '-ext', 'SAN=ip:127.0.0.1', '-validity', '2'];
  await run('keytool', ['-genkeypair', '-keyalg', 'EC', '-storetype', 'PKCS12', ...access, ...names]);
  await run('keytool', ['-exportcert', '-rfc', '-file', certificateIn(folder), ...access]);
  const { username, password } = guest;
  const login = `username="${username}" password="${password}"`;
  const setting = (name: string, value: string): string => `listener.name.clients.${name}=${value}`;
  return {
    settings: [
      setting('ssl.keystore.type', 'PKCS12'),
      setting('ssl.keystore.location', store),
      setting('ssl.keystore.password', storePassword),
      setting('ssl.truststore.type', 'PKCS12'),
      setting('ssl.truststore.location', store),
      setting('ssl.truststore.password', storePassword),
      setting('sasl.enabled.mechanisms', 'PLAIN,SCRAM-SHA-256'),
      setting('plain.sasl.jaas.config', `${plain} ${login} user_${username}="${password}";`),
      setting('scram-sha-256.sasl.jaas.config', `${scram} ${login};`),
      'sasl.mechanism.inter.broker.protocol=PLAIN',
    ],
    formatOptions: ['--add-scram', `SCRAM-SHA-256=[name=${username},password=${password}]`],
  };
}
