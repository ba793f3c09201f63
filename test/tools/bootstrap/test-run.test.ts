import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { stageLines } from '../../../tools/bootstrap/stages.mjs';
import { keepResult } from '../../../tools/bootstrap/test-report.mjs';

test('a stage that takes a fifth longer than recorded is marked', () => {
  const stages = [
    { name: 'integration tests', seconds: 610 },
    { name: 'without servers', seconds: 101 },
    { name: 'new', seconds: 5 },
  ];
  expect(stageLines(stages, { 'integration tests': 480, 'without servers': 100 })).toEqual([
    'integration tests                   610, 27 % longer than the recorded 480',
    'without servers                     101',
    'new                                   5',
  ]);
});

test('the report keeps the last line of each part', () => {
  const folder = mkdtempSync(join(tmpdir(), 'parlance-test-'));
  const file = join(folder, 'report.md');
  const keep = (part: string, outcome: object, day: string) =>
    keepResult(
      { part, outcome, commit: 'abc1234', tookMs: 61_000, now: new Date(`2026-11-${day}T10:00:00Z`) },
      file,
    );
  keep('verify', { passed: 1, failed: 0, closing: ['9000 passed, 0 failed'] }, '01');
  keep('deploy', { passed: 0, failed: 1, closing: ['it did not start'] }, '01');
  keep('verify', { passed: 0, failed: 1, closing: ['8999 passed, 1 failed'] }, '02');
  keep('chaos', { passed: 12, failed: 0, closing: ['Tests: 12 passed'] }, '02');
  const rows = readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('| '));
  expect(rows).toEqual([
    '| Part | Result | Took | Date | Commit |',
    '| deploy | failed | 1:01 | 2026-11-01 | abc1234 |',
    '| verify | 8999 passed, 1 failed | 1:01 | 2026-11-02 | abc1234 |',
    '| chaos | 12 passed, 0 failed | 1:01 | 2026-11-02 | abc1234 |',
  ]);
  rmSync(folder, { recursive: true });
});
