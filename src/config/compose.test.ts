import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { loadConfig } from './app-config.js';
import { areas } from './areas.js';
import type { Settings } from './setting.js';

interface Service {
  readonly image?: string;
  readonly build?: unknown;
  readonly environment?: Readonly<Record<string, string>>;
  readonly ports?: readonly string[];
  readonly networks?: readonly string[];
  readonly restart?: string;
  readonly healthcheck?: { readonly test?: readonly string[]; readonly disable?: boolean };
  readonly command?: readonly string[];
}

interface Compose {
  readonly services: Readonly<Record<string, Service>>;
  readonly networks: Readonly<Record<string, { readonly internal?: boolean }>>;
}

const file = (name: string): string => readFileSync(new URL(`../../docker/${name}`, import.meta.url), 'utf8');
const compose = parse(file('compose.yaml'), { merge: true }) as Compose;
const services = Object.entries(compose.services);
const own = services.filter(([, service]) => service.build !== undefined);
const settings = new Set(
  (Object.values(areas) as Settings[]).flatMap((area) => Object.values(area).map(({ env }) => env)),
);
const withValues = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replace(/\$\{(\w+):-([^}]*)\}/g, (_, name: string, fallback: string) => values[name] ?? fallback);
const withDefaults = (text: string): string => withValues(text, {});

describe('docker/compose.yaml', () => {
  it('runs each role as a process of its own', () => {
    const roles = own.map(([, service]) => service.environment?.ROLES).filter(Boolean);
    expect(roles.sort()).toEqual(['api', 'relay', 'upkeep', 'worker']);
  });

  it.each(own)('gives %s a configuration that is valid and names nothing unknown', (_name, service) => {
    const environment = Object.entries(service.environment ?? {});
    expect(environment.map(([name]) => name).filter((name) => !settings.has(name))).toEqual([]);
    const values = Object.fromEntries(environment.map(([name, value]) => [name, withDefaults(value)]));
    expect(loadConfig(values).broker.broker).toBe('kafka');
  });

  it.each(own)('has %s move from any broker to any other', (_name, service) => {
    const brokers = ['kafka', 'rabbitmq', 'redis', 'postgres'];
    for (const broker of brokers) {
      const left = brokers.filter((other) => other !== broker);
      const set = { INDEXWRIGHT_BROKER: broker, INDEXWRIGHT_DRAIN_BROKERS: left.join(',') };
      const values = Object.entries(service.environment ?? {}).map(
        ([name, text]) => [name, withValues(text, set)] as const,
      );
      expect(loadConfig(Object.fromEntries(values)).broker).toMatchObject({ broker, drained: left });
    }
  });

  it.each(services.filter(([, service]) => service.build === undefined))('pins the image of %s', (_name, { image }) => {
    expect(image).toMatch(/^[\w./-]+:[\w.-]*\d+\.\d+[\w.-]*$|:RELEASE\.[\w-]+$/);
  });

  it.each(services)('knows whether %s is well, or starts it again when it ends', (_name, service) => {
    const { healthcheck, environment, restart } = service;
    const served = service.build === undefined || environment?.ROLES === 'api';
    if (served) expect(healthcheck?.test?.length).toBeGreaterThan(0);
    else expect([healthcheck?.disable, restart]).toEqual([true, expect.stringMatching(/unless-stopped|on-failure/)]);
  });

  it('publishes the API only, and to this machine only', () => {
    const published = services.flatMap(([name, { ports = [] }]) => ports.map((port) => [name, port]));
    expect(published).toEqual([['api', '127.0.0.1:3000:3000']]);
    const reachable = services.filter(([, { networks = [] }]) =>
      networks.some((each) => !compose.networks[each]?.internal),
    );
    expect(reachable.map(([name]) => name)).toEqual(['api']);
  });

  it('leaves making topics to the command that does it', () => {
    expect(compose.services.kafka?.environment?.KAFKA_AUTO_CREATE_TOPICS_ENABLE).toBe('false');
    expect(compose.services.topics?.command).toEqual(['node', 'dist/src/topics.js']);
  });
});

describe('docker/Dockerfile', () => {
  const lines = file('Dockerfile').split('\n');

  it('builds on a pinned image and runs as a user without rights', () => {
    const images = lines.filter((line) => line.startsWith('FROM ')).map((line) => line.split(' ')[1]);
    expect(images).toHaveLength(2);
    for (const image of images) expect(image).toMatch(/^node:\d+\.\d+\.\d+-/);
    expect(lines.filter((line) => line.startsWith('USER ')).at(-1)).toBe('USER node');
    expect(lines.some((line) => line.startsWith('HEALTHCHECK '))).toBe(true);
  });
});
