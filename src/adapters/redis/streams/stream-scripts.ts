import type { StreamConnection } from './stream-connection.js';
import { membersKey, ownerKey } from './stream-names.js';
import type { StreamRecord } from './stream-record.js';

/** Longest content of a field that is read as it is, and what is kept of one that is longer, in bytes. */
const longestContent = 1_048_576;
const keptOfLonger = 65_536;

/** Reading makes room, so that a Redis without memory can be read all the same. */
const header = '#!lua flags=allow-oom\n';

/** Notes that a member is there, forgets those long unheard of, and gives the rest. By the clock of Redis. */
const announceScript = `${header}
  local time = redis.call('TIME')
  local now = time[1] * 1000 + math.floor(time[2] / 1000)
  redis.call('ZADD', KEYS[1], now, ARGV[1])
  redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - ARGV[2])
  redis.call('PEXPIRE', KEYS[1], ARGV[2] * 2)
  return redis.call('ZRANGE', KEYS[1], 0, -1)`;

/**
 * Takes a stream that nobody has: makes what is missing of it, claims what earlier readers left without acknowledgement,
 * and forgets readers that left nothing. Gives the last entry that anybody was given.
 */
const takeScript = `${header}
  local stream, owner, reader, group = KEYS[1], KEYS[2], ARGV[1], ARGV[3]
  if redis.call('EXISTS', owner) == 1 then return false end
  local made = redis.pcall('XGROUP', 'CREATE', stream, group, '0', 'MKSTREAM')
  if made.err and not string.find(made.err, 'BUSYGROUP', 1, true) then return made end
  redis.call('SET', owner, reader, 'PX', ARGV[2])
  local cursor = '0-0'
  repeat
    cursor = redis.call('XAUTOCLAIM', stream, group, reader, 0, cursor, 'COUNT', 100, 'JUSTID')[1]
  until cursor == '0-0'
  local function fields(flat)
    local named = {}
    for at = 1, #flat, 2 do named[flat[at]] = flat[at + 1] end
    return named
  end
  for _, flat in ipairs(redis.call('XINFO', 'CONSUMERS', stream, group)) do
    local consumer = fields(flat)
    if consumer.name ~= reader and consumer.pending == 0 then
      redis.call('XGROUP', 'DELCONSUMER', stream, group, consumer.name)
    end
  end
  for _, flat in ipairs(redis.call('XINFO', 'GROUPS', stream)) do
    local each = fields(flat)
    if each.name == group then return each['last-delivered-id'] end
  end`;

/** Leaves a stream alone that is somebody else's by now, or nobody's. */
const keepScript = `${header}
  if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
  return redis.call('PEXPIRE', KEYS[1], ARGV[2])`;

const releaseScript = `${header}
  if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
  return redis.call('DEL', KEYS[1])`;

/** Cuts contents that would be too much for a reader, and says how long they were. */
const shorten = `
  local function shorten(fields)
    for at = 2, #fields, 2 do
      local length = string.len(fields[at])
      if length > ${longestContent} then
        fields[at] = string.sub(fields[at], 1, ${keptOfLonger})
        fields[#fields + 1] = 'x-dead-bytes'
        fields[#fields + 1] = tostring(length)
      end
    end
    return fields
  end`;

/** Gives new entries to the reader of the stream, and to nobody else. */
const readScript = `${header}${shorten}
  if redis.call('GET', KEYS[2]) ~= ARGV[1] then return false end
  local entries = {}
  local read = redis.call('XREADGROUP', 'GROUP', ARGV[2], ARGV[1], 'COUNT', ARGV[3], 'STREAMS', KEYS[1], '>')
  for _, entry in ipairs(read and read[1][2] or {}) do
    entries[#entries + 1] = { entry[1], shorten(entry[2]), 0 }
  end
  return entries`;

/** Gives the reader of the stream what was given before and not acknowledged, with how often somebody had it in hand. */
const replayScript = `${header}${shorten}
  if redis.call('GET', KEYS[2]) ~= ARGV[1] then return false end
  local entries = {}
  for _, pending in ipairs(redis.call('XPENDING', KEYS[1], ARGV[2], ARGV[4], '+', ARGV[3])) do
    local entry = redis.call('XRANGE', KEYS[1], pending[1], pending[1])[1]
    entries[#entries + 1] = { pending[1], entry and shorten(entry[2]), pending[4] }
  end
  return entries`;

/** A script, because a transaction is not begun without memory. */
const acknowledgeScript = `${header}
  redis.call('XACK', KEYS[1], ARGV[1], unpack(ARGV, 2))
  return redis.call('XDEL', KEYS[1], unpack(ARGV, 2))`;

/** What members of a group ask of Redis. Each script is one step: nobody else gets in between. */
export class StreamScripts {
  constructor(
    private readonly connection: StreamConnection,
    private readonly group: string,
    /** The member who asks. */
    private readonly id: string,
  ) {}

  /** The members that were heard of within `ms`, this one included, in the same order for all of them. */
  async announce(ms: number): Promise<string[]> {
    const members = (await this.connection.run(announceScript, [membersKey(this.group)], this.id, ms)) as Buffer[];
    return members.map(String).sort();
  }

  /** The last entry of the stream that anybody was given; undefined if the stream is somebody else's. */
  async take(stream: string, ms: number): Promise<string | undefined> {
    const keys = [stream, ownerKey(stream)];
    const last = (await this.connection.run(takeScript, keys, this.id, ms, this.group)) as Buffer | null;
    return last?.toString();
  }

  /** False if the stream is lost. */
  async keep(stream: string, ms: number): Promise<boolean> {
    return (await this.connection.run(keepScript, [ownerKey(stream)], this.id, ms)) === 1;
  }

  async release(stream: string): Promise<void> {
    await this.connection.run(releaseScript, [ownerKey(stream)], this.id);
  }

  /** Entries that nobody was given yet, in order; undefined if the stream is lost. */
  async read(stream: string, count: number): Promise<ReadEntry[] | undefined> {
    const keys = [stream, ownerKey(stream)];
    return entriesIn(await this.connection.run(readScript, keys, this.id, this.group, count));
  }

  /** Entries behind a place that were given and not acknowledged, in order; undefined if the stream is lost. */
  async replay(stream: string, behind: string | undefined, count: number): Promise<ReadEntry[] | undefined> {
    const keys = [stream, ownerKey(stream)];
    const start = behind === undefined ? '-' : `(${behind}`;
    return entriesIn(await this.connection.run(replayScript, keys, this.id, this.group, count, start));
  }

  /** Notes that an entry was in hand so often. */
  async noteInHand(stream: string, id: string, times: number): Promise<void> {
    await this.connection.redis.xclaim(stream, this.group, this.id, 0, id, 'RETRYCOUNT', times, 'JUSTID');
  }

  async leave(): Promise<void> {
    await this.connection.redis.zrem(membersKey(this.group), this.id);
  }

  /** What was acknowledged is kept no longer. */
  async acknowledge(stream: string, ids: readonly string[]): Promise<void> {
    await this.connection.run(acknowledgeScript, [stream], this.group, ...ids);
  }
}

export interface ReadEntry extends Pick<StreamRecord, 'id' | 'timesInHand'> {
  /** Null where somebody deleted the entry. */
  readonly fields: readonly Buffer[] | null;
}

function entriesIn(reply: unknown): ReadEntry[] | undefined {
  const entries = reply as [Buffer, Buffer[] | null, number][] | null;
  return entries?.map(([id, fields, timesInHand]) => ({ id: String(id), fields, timesInHand }));
}
