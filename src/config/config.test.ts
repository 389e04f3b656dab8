import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { ConfigError, loadConfig } from './app-config.js';
import { configTable } from './config-table.js';

/** The problems that an environment is refused with. */
function problems(env: Record<string, string>): readonly string[] {
  try {
    loadConfig(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
}

describe('configuration', () => {
  it('has a default for everything', () => {
    const config = loadConfig({});
    expect(config.http).toMatchObject({ port: 3000, host: '127.0.0.1', uploadBytes: 104_857_600 });
    expect(config.broker).toMatchObject({ broker: 'postgres', kafkaBrokers: ['127.0.0.1:9092'] });
    expect(config.process.roles).toEqual(['api', 'worker', 'relay', 'upkeep']);
    expect(config.database.url).toBeUndefined();
  });

  it('treats an empty variable as unset', () => {
    expect(loadConfig({ PORT: '', DATABASE_URL: '' })).toEqual(loadConfig({}));
  });

  it('names every problem at once, and no value', () => {
    const found = problems({
      PORT: '12abc',
      BROKER: 'pigeon',
      DATABASE_URL: 'mysql://secret@host/x',
      ROLES: 'api,cook',
    });
    expect(found.map((line) => line.split(' ')[0])).toEqual(['ROLES', 'PORT', 'DATABASE_URL', 'BROKER']);
    expect(found.join()).not.toMatch(/12abc|pigeon|secret|cook/);
  });

  it('refuses numbers that are not plain whole numbers in bounds', () => {
    for (const value of ['-1', '1.5', '1e3', '0x10', ' 80', '65536', '99999999999999999999']) {
      expect(problems({ PORT: value })).toEqual(['PORT must be a whole number from 0 to 65535']);
    }
  });

  it('refuses what cannot work together', () => {
    expect(problems({ ROLES: 'api' })[0]).toMatch('DATABASE_URL');
    expect(problems({ ROLES: 'api', DATABASE_URL: 'postgres://localhost/x' })).toEqual([]);
    expect(problems({ DATABASE_URL: 'postgres://localhost/x', SENDS_WAITING_MAX: '10' })[0]).toMatch(
      'SENDS_WAITING_MAX',
    );
  });

  it('asks for where the broker is', () => {
    expect(problems({ BROKER: 'rabbitmq' })).toEqual(['BROKER=rabbitmq needs AMQP_URL']);
    expect(problems({ BROKER: 'redis' })).toEqual(['BROKER=redis needs REDIS_URL']);
  });

  it('asks for where the brokers are that are to be drained, none of them the one in use', () => {
    expect(loadConfig({}).broker.drained).toEqual([]);
    const where = { AMQP_URL: 'amqp://localhost', REDIS_URL: 'redis://localhost' };
    expect(loadConfig({ ...where, DRAIN_BROKERS: 'redis, rabbitmq,kafka' }).broker.drained).toEqual([
      'redis',
      'rabbitmq',
      'kafka',
    ]);
    expect(problems({ BROKER: 'kafka', DRAIN_BROKERS: 'redis,kafka,rabbitmq' })).toEqual([
      'DRAIN_BROKERS must not name BROKER itself',
      'DRAIN_BROKERS with rabbitmq needs AMQP_URL',
      'DRAIN_BROKERS with redis needs REDIS_URL',
    ]);
    expect(problems({ DRAIN_BROKERS: 'pigeon' })[0]).toMatch(/^DRAIN_BROKERS must be a comma list of/);
  });

  it('asks for what a way into Kafka needs, and never repeats a password', () => {
    const told = problems({ KAFKA_SASL: 'plain', KAFKA_PASSWORD: 'hunter2', KAFKA_TLS_CA: 'ca.pem' });
    expect(told).toEqual(['KAFKA_SASL needs KAFKA_USERNAME and KAFKA_PASSWORD', 'KAFKA_TLS_CA needs KAFKA_TLS=on']);
  });

  it('cannot be changed', () => {
    expect(() => Object.assign(loadConfig({}).http, { port: 1 })).toThrow(TypeError);
  });

  it('stands in the README as it is', () => {
    const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
    const rows = (text: string) =>
      text
        .split('\n')
        .filter((line) => line.startsWith('| `'))
        .map(cells);
    const section = readme.split(/^## /m).find((part) => part.startsWith('Configuration\n')) ?? '';
    expect(rows(section)).toEqual(rows(configTable()));
  });
});

/** The formatter pads cells; only their text counts. */
function cells(line: string): string[] {
  return line.split('|').map((cell) => cell.trim());
}
