import { Kafka, logLevel } from 'kafkajs';
import pg from 'pg';

const spec = JSON.stringify({
  steps: [1, 5, 2],
  parser: 1,
  sourceHash: 'a'.repeat(64),
  model: 'all-MiniLM-L6-v2',
  dimension: 384,
});

/** The least that accepting a build by hand takes: six statements and an acknowledged send in one transaction. */
export class Floor {
  #pool;
  #producer;
  #admin;
  #topic;
  #documents;
  #sequence = BigInt(Date.now()) << 22n;

  /** Makes its tables and topic; `close` does not take them away, `stop` does. */
  static async start(options) {
    const admin = kafkaOf(options).admin();
    await admin.connect();
    await admin.createTopics({ topics: [{ topic: options.topic, numPartitions: 3 }], waitForLeaders: true });
    const floor = await Floor.open(options);
    floor.#admin = admin;
    await floor.#createTables();
    return floor;
  }

  /** On tables and a topic that are there. */
  static async open({ databaseUrl, brokers, topic, documents }) {
    const floor = new Floor();
    floor.#topic = topic;
    floor.#documents = documents;
    floor.#pool = new pg.Pool({ connectionString: databaseUrl, max: 10 });
    floor.#producer = kafkaOf({ brokers }).producer({ allowAutoTopicCreation: false });
    await floor.#producer.connect();
    return floor;
  }

  async #createTables() {
    await this.#pool.query(`
      drop schema if exists floor cascade;
      create schema floor;
      create table floor.document (id bigint primary key, parse_status int not null, strategy_status int not null,
        index_status int not null, current_plan_id bigint, updated_at timestamptz not null default now());
      create table floor.plan (id bigint primary key, document_id bigint not null, plan_status int not null, snapshot text not null);
      create table floor.step (plan_id bigint not null, step_no int not null, level text not null, strategy int not null,
        params jsonb not null, primary key (plan_id, step_no));
      create table floor.task (id bigint primary key, document_id bigint not null, task_type int not null,
        task_status int not null, current_stage int not null, trigger_source int not null, snapshot text not null,
        spec jsonb not null, retry_count int not null, created_at timestamptz not null default now());
      create unique index on floor.task (document_id) where task_status in (1, 2, 5);
      create table floor.log (id bigint generated always as identity primary key, task_id bigint not null,
        event text not null, detail jsonb, created_at timestamptz not null default now());
      create index on floor.log (task_id);`);
    const count = [this.#documents];
    await this.#pool.query(
      'insert into floor.document select g, 3, 3, 1, g from generate_series(0, $1::int - 1) g',
      count,
    );
    await this.#pool.query(
      `insert into floor.plan select g, g, 2, 'PARENT:1;CHILD:5,2' from generate_series(0, $1::int - 1) g`,
      count,
    );
    await this.#pool.query(
      `insert into floor.step select g, s, case s when 1 then 'PARENT' else 'CHILD' end, s, '{"maxTokens":256}'
         from generate_series(0, $1::int - 1) g, generate_series(1, 3) s`,
      count,
    );
  }

  async reset() {
    await this.#pool.query('truncate floor.task, floor.log');
    await this.#pool.query('update floor.document set index_status = 1');
    await this.#pool.query('vacuum floor.document');
    await this.#pool.query('checkpoint');
  }

  async accept(i) {
    const client = await this.#pool.connect();
    try {
      await client.query('begin');
      const document = (await client.query('select * from floor.document where id = $1 for update', [i])).rows[0];
      const plan = (
        await client.query('select * from floor.plan where id = $1 and document_id = $2', [document.current_plan_id, i])
      ).rows[0];
      await client.query('select * from floor.step where plan_id = $1 order by step_no', [plan.id]);
      const id = String((this.#sequence += 1n));
      await client.query('insert into floor.task values ($1, $2, 2, 1, 4, 1, $3, $4, 0)', [id, i, plan.snapshot, spec]);
      await client.query('update floor.document set index_status = 2, updated_at = now() where id = $1', [i]);
      await client.query(`insert into floor.log (task_id, event, detail) values ($1, 'START', $2)`, [
        id,
        JSON.stringify({ planId: plan.id }),
      ]);
      await this.#send(i, id, plan.id);
      await client.query('commit');
    } catch (error) {
      await client.query('rollback');
      throw error;
    } finally {
      client.release();
    }
  }

  #send(documentId, taskId, planId) {
    const value = JSON.stringify({ documentId: String(documentId), taskId, planId });
    return this.#producer.send({
      topic: this.#topic,
      acks: -1,
      timeout: 5_000,
      messages: [{ key: String(documentId), value }],
    });
  }

  async stop() {
    await this.#admin.deleteTopics({ topics: [this.#topic] });
    await this.#admin.disconnect();
    await this.#pool.query('drop schema floor cascade');
    await this.close();
  }

  async close() {
    await this.#producer.disconnect();
    await this.#pool.end();
  }
}

function kafkaOf({ brokers }) {
  return new Kafka({ clientId: 'floor', brokers, logLevel: logLevel.NOTHING, retry: { retries: 2 } });
}
