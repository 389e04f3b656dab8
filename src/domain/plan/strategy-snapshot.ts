import { Level, levels, strategyTable, type PlanStep, type Strategy } from './strategy.js';

/** A plan's strategies in short form, for example `PARENT:1;CHILD:4,2`. */
export type StrategySnapshot = string;

/** The short form of ordered steps. Both levels must have at least one step. */
export function snapshotOf(steps: readonly Pick<PlanStep, 'level' | 'strategy'>[]): StrategySnapshot {
  return levels
    .map((level) => {
      const codes = steps.filter((step) => step.level === level).map((step) => step.strategy);
      if (codes.length === 0) throw new RangeError(`a plan needs a step for ${level}`);
      return `${level}:${codes.join(',')}`;
    })
    .join(';');
}

const form = /^PARENT:(\d(?:,\d)*);CHILD:(\d(?:,\d)*)$/;

/** The strategies of each level, in order. Throws RangeError for text that is no snapshot. */
export function parseSnapshot(snapshot: StrategySnapshot): Record<Level, Strategy[]> {
  const match = form.exec(snapshot);
  if (!match) throw new RangeError(`not a strategy snapshot: ${snapshot}`);
  const codes = (list: string): Strategy[] =>
    list.split(',').map((digit) => {
      if (!(digit in strategyTable)) throw new RangeError(`unknown strategy ${digit} in ${snapshot}`);
      return Number(digit) as Strategy;
    });
  return { [Level.Parent]: codes(match[1] ?? ''), [Level.Child]: codes(match[2] ?? '') };
}
