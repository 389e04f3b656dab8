import type { AppConfig } from '../config/app-config.js';
import { Upkeep } from '../upkeep/upkeep.js';
import type { UpkeepPass } from '../upkeep/upkeep-pass.js';
import type { Ground } from './ground.js';
import type { Lifecycle } from './lifecycle.js';
import type { TextParts } from './text-parts.js';
import { upkeepPasses } from './upkeep-passes.js';

/** Starts the timed passes, the prompt and the patient ones beside each other. */
export function startUpkeep(config: AppConfig, ground: Ground, text: TextParts, lifecycle: Lifecycle): void {
  const logger = lifecycle.logger.child({ part: 'upkeep' });
  const { prompt, patient } = upkeepPasses(config, ground, text, logger);
  const begin = (name: string, passes: readonly UpkeepPass[]): void => {
    const rounds = new Upkeep(passes, ground.repositories.upkeep, logger, config.upkeep.intervalMs);
    lifecycle.add(name, () => rounds.stop());
    lifecycle.watch(name, () => ({ up: true, ...aged(rounds.progressAgeMs()) }));
    rounds.start();
  };
  begin('upkeep', prompt);
  begin('tidying', patient);
}

/** Starts the relay of the outbox. */
export function startRelay({ relay }: Ground, lifecycle: Lifecycle): void {
  lifecycle.add('relay', () => relay.stop());
  lifecycle.watch('relay', () => ({ up: true, ...aged(relay.progressAgeMs()) }));
  relay.start();
}

function aged(ms: number | undefined): { lastProgressAgeMs?: number } {
  return ms === undefined ? {} : { lastProgressAgeMs: Math.round(ms) };
}
