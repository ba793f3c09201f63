import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { readTemporalPlan, TemporalPlan } from '../../src/config/temporal-plan.ts';
import { timingOf } from '../../src/workflows/call/voice/timing.ts';
import { renderDeclaration } from '../../tools/declaration.ts';

const root = join(import.meta.dirname, '../..');
const plan = readTemporalPlan();

test('the names that code uses are those of temporal.yaml', () => {
  expect(readFileSync(join(root, 'src/domain/declaration.ts'), 'utf8')).toBe(renderDeclaration(plan));
});

test('a call whose media host is lost waits 45 s for another one', () => {
  expect(timingOf({}).mediaResumeMs).toBe(45_000);
});

test('a real cluster gets the dynamic configuration that temporal.yaml declares', () => {
  const deployed: unknown = parse(readFileSync(join(root, 'deploy/temporal/dynamic-config.yaml'), 'utf8'));
  expect(deployed).toEqual(
    Object.fromEntries(Object.entries(plan.dynamicConfig).map(([key, value]) => [key, [{ value }]])),
  );
});

test('more search attributes of a type than SQL visibility has slots for are refused', () => {
  const searchAttributes = { ...plan.searchAttributes, One: 'Keyword' as const };
  const parsed = TemporalPlan.safeParse({ ...plan, searchAttributes });
  expect(parsed.error?.issues.map((issue) => issue.message)).toEqual([
    '11 of type Keyword, SQL visibility has 10 slots',
  ]);
});

test.each([
  [{ turnHeartbeat: 20_000 }, ['turnStartToClose']],
  [{ updateWait: 25_000 }, ['updateWait']],
])('timeouts that contradict each other are refused by name (%j)', (change, names) => {
  const parsed = TemporalPlan.safeParse({ ...plan, timeoutsMs: { ...plan.timeoutsMs, ...change } });
  expect(parsed.error?.issues.map((issue) => issue.path)).toEqual(names.map((name) => ['timeoutsMs', name]));
});

test('a worker role that polls an undeclared task queue is refused', () => {
  const workerRoles = { call: { ...plan.workerRoles['call'], taskQueue: 'elsewhere' } };
  expect(TemporalPlan.safeParse({ ...plan, workerRoles }).error?.issues.map((issue) => issue.path)).toEqual([
    ['workerRoles', 'call', 'taskQueue'],
  ]);
});
