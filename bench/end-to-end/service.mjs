// The service as its own process, as a person starts it, with everything that it writes to in places of its own.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Kafka, logLevel } from 'kafkajs';
import pg from 'pg';
import { createTopics } from '../part.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));
const readyWithinMs = 120_000;
const stoppedWithinMs = 60_000;

/** A new, empty database beside the one that DATABASE_URL names. */
export class ScratchDatabase {
  static async create(serverUrl, name) {
    const database = new ScratchDatabase(serverUrl, name);
    await database.tell(`create database "${name}"`);
    return database;
  }

  constructor(serverUrl, name) {
    this.serverUrl = serverUrl;
    this.name = name;
    const url = new URL(serverUrl);
    url.pathname = `/${name}`;
    this.url = url.href;
  }

  async drop() {
    await this.tell(`drop database if exists "${this.name}" with (force)`);
  }

  async tell(statement) {
    const client = new pg.Client(this.serverUrl);
    await client.connect();
    await client.query(statement).finally(() => client.end());
  }
}

/** The service with all roles. `stop` takes its topics, groups and files away; the database is its maker's. */
export class Service {
  /** @param env what differs from the defaults: none for the embedded ones, DATABASE_URL and KAFKA_BROKERS for real parts. */
  static async start({ name, env = {}, nodeOptions = [] }) {
    const service = new Service(name, env);
    try {
      await service.begin(nodeOptions);
      return service;
    } catch (error) {
      await service.stop();
      throw error;
    }
  }

  constructor(name, env) {
    this.brokers = env.KAFKA_BROKERS?.split(',');
    this.name = name;
    const { PATH, HOME } = process.env;
    this.env = { PATH, HOME, PORT: '0', TOPIC_PREFIX: name, ...(this.brokers ? { BROKER: 'kafka' } : {}), ...env };
  }

  async begin(nodeOptions) {
    this.folder = await mkdtemp(path.join(tmpdir(), `${this.name}-`));
    const env = { ...this.env, DATA_DIR: path.join(this.folder, 'data') };
    if (this.brokers) await createTopics(env);
    this.output = path.join(this.folder, 'output.log');
    const log = openSync(this.output, 'a');
    this.process = spawn(process.execPath, [...nodeOptions, 'dist/src/main.js'], {
      cwd: root,
      env,
      stdio: ['ignore', log, log],
    });
    this.ended = once(this.process, 'exit');
    this.url = await this.untilReady();
  }

  get pid() {
    return this.process.pid;
  }

  async said() {
    return readFile(this.output, 'utf8');
  }

  async untilReady() {
    for (const giveUpAt = Date.now() + readyWithinMs; Date.now() < giveUpAt; await pause(100)) {
      const url = /ready at (http:\S+)/.exec(await this.said())?.[1];
      if (url && (await fetch(`${url}/health/ready`)).ok) return url;
      if (this.process.exitCode !== null) break;
    }
    throw new Error(`the service did not start; was it built (npm run build)?\n${(await this.said()).slice(-2_000)}`);
  }

  async stop() {
    if (this.process?.exitCode === null) {
      this.process.kill('SIGTERM');
      const late = await Promise.race([this.ended.then(() => false), pause(stoppedWithinMs, true, { ref: false })]);
      if (late) this.process.kill('SIGKILL');
    }
    if (this.brokers) await this.removeTopics();
    if (this.folder) await rm(this.folder, { recursive: true, force: true });
  }

  async removeTopics() {
    const admin = new Kafka({ brokers: this.brokers, logLevel: logLevel.NOTHING }).admin();
    await admin.connect();
    try {
      const mine = (name) => name.startsWith(`${this.name}-`);
      const topics = (await admin.listTopics()).filter(mine);
      if (topics.length > 0) await admin.deleteTopics({ topics });
      const { groups } = await admin.listGroups();
      const groupIds = groups.map(({ groupId }) => groupId).filter(mine);
      // A group whose members were killed cannot be deleted before they are missed; the broker forgets it by itself.
      if (groupIds.length > 0) await admin.deleteGroups(groupIds).catch(() => undefined);
    } finally {
      await admin.disconnect();
    }
  }
}
