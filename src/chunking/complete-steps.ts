import { AppError } from '../domain/errors.js';
import {
  strategyTable,
  type Level,
  type ParamValue,
  type PlanStep,
  type Strategy,
  type StepParams,
} from '../domain/plan/strategy.js';
import { codeOf } from '../domain/coded-value.js';
import type { ChunkLimits } from '../domain/text/chunk.js';
import { describeStrategy, type ParamDescriptor } from './strategy-catalogue.js';
import { validateSteps, type ProposedStep } from './validate-steps.js';

/**
 * The steps with every parameter filled in, so that a stored plan says all that it does.
 *
 * @throws AppError PLAN_INVALID with all `problems` if the steps cannot be executed under the limits.
 */
export function completeSteps(steps: readonly ProposedStep[], limits: ChunkLimits): PlanStep[] {
  const problems = validateSteps(steps, limits, steps.length);
  if (problems.length > 0) throw new AppError('PLAN_INVALID', 'The plan cannot be executed.', { problems });
  return steps.map((step) => {
    const level = step.level as Level;
    const strategy = codeOf(strategyTable, String(step.strategy)) as Strategy;
    return { level, strategy, params: complete(strategy, level, given(step.params), limits) };
  });
}

function given(params: Readonly<Record<string, unknown>> = {}): StepParams {
  return Object.fromEntries(Object.entries(params).filter(([, value]) => value !== undefined)) as StepParams;
}

function complete(strategy: Strategy, level: Level, params: StepParams, limits: ChunkLimits): StepParams {
  const completed: Record<string, ParamValue> = {};
  for (const descriptor of describeStrategy(strategy, limits).params) {
    const value = params[descriptor.name] ?? defaultOf(descriptor, level, params, completed);
    completed[descriptor.name] = typeof value === 'object' ? [...value] : value;
  }
  return completed;
}

/** The default, made to fit what was given, and what was completed before it. */
function defaultOf(descriptor: ParamDescriptor, level: Level, params: StepParams, before: StepParams): ParamValue {
  const usual = descriptor.byLevel[level].default;
  switch (descriptor.name) {
    case 'maxTokens':
      return Math.max(Number(usual), Number(params.minTokens ?? 0), Number(params.overlapTokens ?? 0) + 1);
    case 'minTokens':
      return Math.min(Number(usual), Number(before.maxTokens) >> 2);
    case 'keepSeparator':
      return namesHeading(before.separators) ? 'START' : usual;
    case 'merge':
      return params.separators === undefined ? usual : 'NONE';
    default:
      return usual;
  }
}

/** A cut after a heading mark would tear it off its heading. */
function namesHeading(separators: ParamValue | undefined): boolean {
  return Array.isArray(separators) && separators.some((separator) => /^\s*#{1,6}\s*$/.test(String(separator)));
}
