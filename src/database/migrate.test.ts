import { describe, expect, it } from '@jest/globals';
import { StartRefusal } from '../domain/start-refusal.js';
import { silentLogger } from '../logging/logger.js';
import { describeAddress, postgresConnection } from './connection.js';
import { migrate, unfitness } from './migrate.js';
import { explainStartFailure } from './start-failure.js';

const address = { connectionString: 'postgres://someone:secret@db.example:6432/rag?sslmode=disable' };
const failure = (code: string, message = 'failed'): Error => Object.assign(new Error(message), { code });

describe('unfitness', () => {
  const fit = { number: 150_004, name: '15.4', vector: true };

  it('finds nothing wrong with PostgreSQL 15 that has pgvector', () => {
    expect(unfitness(fit, 'it')).toBeUndefined();
  });

  it('names the version that is too old', () => {
    expect(unfitness({ ...fit, number: 140_009, name: '14.9' }, 'the database rag at db:5432')).toBe(
      'PostgreSQL 15 or later is needed; the database rag at db:5432 is 14.9.',
    );
  });

  it('names the extension that is missing', () => {
    expect(unfitness({ ...fit, vector: false }, 'the database rag')).toContain('lacks the extension pgvector');
  });
});

describe('explainStartFailure', () => {
  it.each([
    ['28P01', 'refuses the user or the password'],
    ['3D000', 'does not exist'],
    ['42501', 'grant it CREATE'],
    ['55P03', 'are locked'],
    ['ECONNREFUSED', 'does not answer'],
    ['ENOTFOUND', 'does not answer'],
  ])('makes one sentence of %s, without secrets', (code, words) => {
    const explained = explainStartFailure(failure(code, 'password secret for someone'), address) as Error;
    expect(explained).toBeInstanceOf(StartRefusal);
    expect(explained.message).toContain(words);
    expect(explained.message).toContain('he database rag at db.example:6432');
    expect(explained.message).not.toMatch(/secret|someone/);
  });

  it('leaves a bug as it is', () => {
    const bug = failure('42601', 'syntax error');
    expect(explainStartFailure(bug, address)).toBe(bug);
  });
});

describe('describeAddress', () => {
  it('never shows a user or a password', () => {
    expect(describeAddress(address)).toBe('the database rag at db.example:6432');
  });
});

describe('migrate', () => {
  it('says in one sentence that nobody answers', async () => {
    const nobody = postgresConnection('postgres://someone:secret@127.0.0.1:9/rag', 1);
    await expect(migrate(nobody, silentLogger)).rejects.toMatchObject({
      name: 'StartRefusal',
      message: 'The database rag at 127.0.0.1:9 does not answer.',
    });
  });
});
