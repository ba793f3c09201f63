import { parseArgs } from 'node:util';

export interface BenchOptions {
  /** In the order of their runs. */
  scenarios: ScenarioName[];
  isQuick: boolean;
  /** Calls of the two memory scenarios. */
  calls: number;
  database: 'mysql' | 'mariadb';
  /** Writes the figures into tools/bench/report.md. */
  writes: boolean;
  /** Writes a CPU profile of every process. */
  profiles: boolean;
}

/** In the order of their runs; the names for `--only` and of the blocks in tools/bench/report.md. */
export const textScenarioNames = [
  'turn',
  'webhook',
  'deliveries',
  'agents',
  'templates',
  'histories',
  'import',
  'memory',
  'console',
] as const;

/** These scenarios also need a simulated carrier, speech recognition and voices. */
export const phoneScenarioNames = [
  'calls-live',
  'calls-lost',
  'calls-triggered',
  'calls-watched',
  'calls-memory',
  'campaign-calls',
  'campaign-changes',
  'campaign-million',
  'campaign-histories',
  'console-rows',
] as const;

export const scenarioNames = [...textScenarioNames, ...phoneScenarioNames] as const;

export type TextScenarioName = (typeof textScenarioNames)[number];
export type PhoneScenarioName = (typeof phoneScenarioNames)[number];
export type ScenarioName = (typeof scenarioNames)[number];

/** Reads the arguments of `npm run bench`. Throws TypeError with a sentence for people. */
export function readOptions(args: readonly string[]): BenchOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      only: { type: 'string', multiple: true, default: [] },
      quick: { type: 'boolean', default: false },
      calls: { type: 'string' },
      database: { type: 'string', default: 'mysql' },
      write: { type: 'boolean', default: false },
      profile: { type: 'boolean', default: false },
    },
  });
  const only = values.only.flatMap((each) => each.split(','));
  const names = only.flatMap(namesFor);
  const unknown = only.filter((each) => namesFor(each).length === 0);
  const calls = Number(values.calls ?? (values.quick ? 200 : 5000));
  if (unknown.length > 0)
    throw new TypeError(`There is no scenario ${unknown.join(', ')}; there are ${scenarioNames.join(', ')}`);
  if (values.database !== 'mysql' && values.database !== 'mariadb')
    throw new TypeError('--database must be mysql or mariadb');
  if (!Number.isInteger(calls) || calls < 100 || calls > 100_000)
    throw new TypeError('--calls must be a whole number from 100 to 100000: fewer calls show no trend');
  if (values.write && values.quick) throw new TypeError('A quick run is too rough for tools/bench/report.md');
  return {
    scenarios: scenarioNames.filter((name) => only.length === 0 || names.includes(name)),
    isQuick: values.quick,
    calls,
    database: values.database,
    writes: values.write,
    profiles: values.profile,
  };
}

/** `calls` selects all scenarios with that prefix, and so do `campaign` and `console`. */
function namesFor(word: string): ScenarioName[] {
  return scenarioNames.filter((name) => name === word || name.startsWith(`${word}-`));
}
