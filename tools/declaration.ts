/**
 * Writes src/domain/declaration.ts from temporal.yaml. `--check` only compares (the unit tests do the same).
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { readTemporalPlan, type TemporalPlan } from '../src/config/temporal-plan.ts';

const file = new URL('../src/domain/declaration.ts', import.meta.url);

/** The text of src/domain/declaration.ts for a plan. */
export function renderDeclaration(plan: TemporalPlan): string {
  const constant = (name: string, value: unknown) => `export const ${name} = ${literal(value)} as const;\n`;
  return [
    '// Generated from temporal.yaml by `npm run declaration`. Edit that file, not this one.\n',
    constant('namespace', plan.namespace),
    constant('searchAttributes', plan.searchAttributes),
    constant('taskQueues', plan.taskQueues),
    constant('workerRoles', plan.workerRoles),
    constant('timeoutsMs', plan.timeoutsMs),
    'export type WorkerRole = keyof typeof workerRoles;\n',
  ].join('\n');
}

function literal(value: unknown, indent = ''): string {
  if (typeof value === 'string') return `'${value}'`;
  if (typeof value !== 'object' || value === null) return String(value);
  const inner = `${indent}  `;
  const rows = Object.entries(value).map(([key, each]) => `${inner}${key}: ${literal(each, inner)},\n`);
  return `{\n${rows.join('')}${indent}}`;
}

if (process.argv[1] === import.meta.filename) {
  const text = renderDeclaration(readTemporalPlan());
  if (process.argv.includes('--check')) {
    if (readFileSync(file, 'utf8') !== text)
      throw new Error('src/domain/declaration.ts does not match temporal.yaml: run npm run declaration');
  } else {
    writeFileSync(file, text);
  }
}
