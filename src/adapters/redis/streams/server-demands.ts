import { StartRefusal } from '../../../domain/start-refusal.js';

/** The first version whose scripts may read while it is out of memory. */
const oldestVersion = 7;

/** @param info the answer to INFO. @throws StartRefusal for a server that cannot carry messages. */
export function demandServer(info: string): void {
  const version = fieldOf(info, 'redis_version');
  if (version !== undefined && Number.parseInt(version, 10) < oldestVersion) {
    throw new StartRefusal(`Redis ${version} cannot carry messages; that needs Redis ${oldestVersion} or later.`);
  }
}

/** Settings under which the server may lose what it has acknowledged, each with its remedy. */
export function weaknessesOf(info: string): string[] {
  const weaknesses: string[] = [];
  if (fieldOf(info, 'aof_enabled') === '0') {
    weaknesses.push('Redis does not write messages to disk as they come: set appendonly yes');
  }
  const policy = fieldOf(info, 'maxmemory_policy') ?? 'noeviction';
  if (policy.startsWith('allkeys') && fieldOf(info, 'maxmemory') !== '0') {
    weaknesses.push(`Redis may remove messages when its memory is full (${policy}): set maxmemory-policy noeviction`);
  }
  return weaknesses;
}

function fieldOf(info: string, name: string): string | undefined {
  return new RegExp(`^${name}:(.*?)\\r?$`, 'm').exec(info)?.[1];
}
