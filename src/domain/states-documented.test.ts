import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import type { CodeTable, Moves } from './coded-value.js';
import { indexStatusMoves, indexStatusTable } from './document/index-status.js';
import { parseStatusMoves, parseStatusTable } from './document/parse-status.js';
import { strategyStatusMoves, strategyStatusTable } from './document/strategy-status.js';
import { planStatusMoves, planStatusTable } from './plan/plan-status.js';
import { executeStatusMoves, executeStatusTable } from './plan/step-status.js';
import { taskStatusMoves, taskStatusTable } from './task/task-status.js';

const page = readFileSync(new URL('../../docs/states.md', import.meta.url), 'utf8');

/** The arrows of the diagram below a heading of docs/states.md, sorted. */
function documented(heading: string): string[] {
  const section = page.split(/^## /m).find((part) => part.startsWith(`${heading}\n`));
  if (!section) throw new Error(`docs/states.md has no section ${heading}`);
  return [...section.matchAll(/^ {2}(\w+) --> (\w+) : \S/gm)].map(([, from, to]) => `${from} → ${to}`).sort();
}

function declared<Code extends number>(table: CodeTable<Code>, moves: Moves<Code>): string[] {
  return Object.entries<readonly Code[]>(moves)
    .flatMap(([from, targets]) => targets.map((to) => `${table[Number(from) as Code].name} → ${table[to].name}`))
    .sort();
}

describe('docs/states.md', () => {
  it('shows exactly the moves that the code allows', () => {
    expect(documented('Task')).toEqual(declared(taskStatusTable, taskStatusMoves));
    expect(documented('Parsing of a document')).toEqual(declared(parseStatusTable, parseStatusMoves));
    expect(documented('Strategy of a document')).toEqual(declared(strategyStatusTable, strategyStatusMoves));
    expect(documented('Index of a document')).toEqual(declared(indexStatusTable, indexStatusMoves));
    expect(documented('Plan')).toEqual(declared(planStatusTable, planStatusMoves));
    expect(documented('Step of a plan')).toEqual(declared(executeStatusTable, executeStatusMoves));
  });
});
