import { codeOf } from '../domain/coded-value.js';
import type { PlanProblem } from '../domain/errors.js';
import { levels, strategyTable, type Level, type Strategy } from '../domain/plan/strategy.js';
import type { ChunkLimits } from '../domain/text/chunk.js';
import {
  describeStrategy,
  longestSeparator,
  strategyCatalogue,
  type ParamBounds,
  type ParamDescriptor,
  type StrategyDescriptor,
} from './strategy-catalogue.js';

/** A step as somebody proposes it: strategy by code or name, parameters of any kind. */
export interface ProposedStep {
  readonly level: string;
  readonly strategy: number | string;
  readonly params?: Readonly<Record<string, unknown>>;
}

/**
 * Everything that keeps steps from being executed under the limits, all at once; empty when nothing does. Of more
 * steps than `maxSteps` only that many are looked at.
 */
export function validateSteps(steps: readonly ProposedStep[], limits: ChunkLimits, maxSteps: number): PlanProblem[] {
  return [
    ...countProblems(steps, maxSteps),
    ...steps.slice(0, maxSteps).flatMap((step, index) => stepProblems(step, `steps[${index}]`, limits)),
    ...orderProblems(steps.slice(0, maxSteps)),
  ];
}

const problem = (path: string, code: string, message: string): PlanProblem => ({ path, code, message });

function countProblems(steps: readonly ProposedStep[], maxSteps: number): PlanProblem[] {
  const missing = levels
    .filter((level) => !steps.some((step) => step.level === level))
    .map((level) => problem('steps', 'LEVEL_MISSING', `The plan has no step for level ${level}.`));
  if (steps.length <= maxSteps) return missing;
  return [...missing, problem('steps', 'TOO_MANY_STEPS', `The plan has ${steps.length} steps; at most ${maxSteps}.`)];
}

/** Children are cut out of finished parents, so the steps of parents come first. */
function orderProblems(steps: readonly ProposedStep[]): PlanProblem[] {
  const firstChild = steps.findIndex((step) => step.level === 'CHILD');
  if (firstChild < 0) return [];
  return steps.flatMap((step, index) =>
    step.level === 'PARENT' && index > firstChild
      ? [problem(`steps[${index}].level`, 'STEP_ORDER', 'The steps of level PARENT come before those of level CHILD.')]
      : [],
  );
}

function stepProblems(step: ProposedStep, path: string, limits: ChunkLimits): PlanProblem[] {
  const level = levels.find((known) => known === step.level);
  const strategy = codeOf(strategyTable, String(step.strategy));
  const problems: PlanProblem[] = [];
  if (!level) {
    problems.push(problem(`${path}.level`, 'LEVEL_UNKNOWN', `The level is one of ${levels.join(', ')}.`));
  }
  if (strategy === undefined) {
    const known = strategyCatalogue(limits).map(({ code }) => `${code} ${strategyTable[code].name}`);
    problems.push(problem(`${path}.strategy`, 'STRATEGY_UNKNOWN', `The strategy is one of ${known.join(', ')}.`));
    return problems;
  }
  return [...problems, ...strategyProblems(describeStrategy(strategy, limits), level, step, path)];
}

function strategyProblems(
  descriptor: StrategyDescriptor,
  level: Level | undefined,
  step: ProposedStep,
  path: string,
): PlanProblem[] {
  const name = nameOf(descriptor.code);
  if (!descriptor.available) {
    const reason = descriptor.unavailableReason?.en ?? '';
    return [problem(`${path}.strategy`, 'STRATEGY_UNAVAILABLE', `${name} is not available. ${reason}`)];
  }
  if (!level) return [];
  if (!descriptor.levels.includes(level)) {
    return [problem(`${path}.level`, 'STRATEGY_LEVEL', `${name} does not cut level ${level}.`)];
  }
  return paramsProblems(descriptor, level, step.params ?? {}, `${path}.params`);
}

function paramsProblems(
  descriptor: StrategyDescriptor,
  level: Level,
  params: Readonly<Record<string, unknown>>,
  path: string,
): PlanProblem[] {
  const single = Object.entries(params)
    .filter(([, value]) => value !== undefined)
    .flatMap(([name, value]) => {
      const known = descriptor.params.find((param) => param.name === name);
      return known ? valueProblems(known, level, value, `${path}.${name}`) : [unknownParam(descriptor, path, name)];
    });
  return [...single, ...relationProblems(params, path)];
}

function unknownParam(descriptor: StrategyDescriptor, path: string, name: string): PlanProblem {
  const known = descriptor.params.map((param) => param.name).join(', ');
  const message = `${nameOf(descriptor.code)} has no such parameter; it has ${known}.`;
  return problem(`${path}.${name}`, 'PARAM_UNKNOWN', message);
}

function valueProblems(param: ParamDescriptor, level: Level, value: unknown, path: string): PlanProblem[] {
  switch (param.type) {
    case 'integer':
      return integerProblems(param.byLevel[level], value, path);
    case 'choice':
      return choiceProblems(param.choices ?? [], value, path);
    case 'texts':
      return textsProblems(param.byLevel[level], value, path);
  }
}

function integerProblems({ min = 0, max = 0 }: ParamBounds, value: unknown, path: string): PlanProblem[] {
  if (typeof value !== 'number' || !Number.isInteger(value))
    return [problem(path, 'PARAM_TYPE', 'Must be an integer.')];
  if (value >= min && value <= max) return [];
  return [problem(path, 'PARAM_RANGE', `Must be between ${min} and ${max}.`)];
}

function choiceProblems(choices: readonly string[], value: unknown, path: string): PlanProblem[] {
  if (typeof value !== 'string') return [problem(path, 'PARAM_TYPE', 'Must be a string.')];
  if (choices.includes(value)) return [];
  return [problem(path, 'PARAM_RANGE', `Must be one of ${choices.join(', ')}.`)];
}

function textsProblems({ min = 0, max = 0 }: ParamBounds, value: unknown, path: string): PlanProblem[] {
  if (!Array.isArray(value)) return [problem(path, 'PARAM_TYPE', 'Must be a list of strings.')];
  if (value.length < min || value.length > max) {
    return [problem(path, 'PARAM_RANGE', `Must have between ${min} and ${max} entries.`)];
  }
  return value.flatMap((entry: unknown, index) => textProblems(entry, `${path}[${index}]`));
}

function textProblems(entry: unknown, path: string): PlanProblem[] {
  if (typeof entry !== 'string') return [problem(path, 'PARAM_TYPE', 'Must be a string.')];
  if (entry === '') {
    const message =
      'Must not be empty. Leave it out: what is still too long is cut between words or characters anyway.';
    return [problem(path, 'PARAM_RANGE', message)];
  }
  if (/[\0\p{Surrogate}]/u.test(entry)) {
    return [problem(path, 'PARAM_RANGE', 'Must have no NUL and no lone surrogate: no parsed text has one.')];
  }
  if (entry.length <= 2 * longestSeparator && Array.from(entry).length <= longestSeparator) return [];
  return [problem(path, 'PARAM_RANGE', `Must have at most ${longestSeparator} characters.`)];
}

/** Only what was given is compared: defaults adapt to it. */
function relationProblems(params: Readonly<Record<string, unknown>>, path: string): PlanProblem[] {
  const { maxTokens, minTokens, overlapTokens } = params;
  if (typeof maxTokens !== 'number') return [];
  const problems: PlanProblem[] = [];
  if (typeof minTokens === 'number' && minTokens > maxTokens) {
    problems.push(problem(`${path}.minTokens`, 'MIN_OVER_MAX', 'minTokens must not be greater than maxTokens.'));
  }
  if (typeof overlapTokens === 'number' && overlapTokens >= maxTokens) {
    problems.push(problem(`${path}.overlapTokens`, 'OVERLAP_TOO_LARGE', 'overlapTokens must be less than maxTokens.'));
  }
  return problems;
}

function nameOf(strategy: Strategy): string {
  return strategyTable[strategy].name;
}
