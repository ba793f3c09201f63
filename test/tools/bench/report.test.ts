import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { root } from '../../support/process.ts';
import { figure, renderReport, replaceBlock, type Section } from '../../../tools/bench/report.ts';
import { scenarioNames } from '../../../tools/bench/options.ts';

const section: Section = {
  id: 'turn',
  title: 'A walk',
  method: ['One step after the other.'],
  tables: [{ columns: ['Way', 'ms'], rows: [['there | back', '1,200']] }],
  targets: [
    { what: 'There', wanted: '≤ 50 ms', measured: '40 ms', isMet: true },
    { what: 'Back', wanted: '≤ 50 ms', measured: '1,200 ms', isMet: false },
  ],
};

test('a report has the facts, the method, the figures, and whether each target was met', () => {
  expect(renderReport([['Node', 'v24']], [section])).toBe(
    [
      '# Benchmark report',
      '',
      '| Measured on |  |',
      '| --- | --: |',
      '| Node | v24 |',
      '',
      '## A walk',
      '',
      'One step after the other.',
      '',
      '| Way | ms |',
      '| --- | --: |',
      '| there \\| back | 1,200 |',
      '',
      '| Target | Wanted | Measured |  |',
      '| --- | --: | --: | --: |',
      '| There | ≤ 50 ms | 40 ms | met |',
      '| Back | ≤ 50 ms | 1,200 ms | **not met** |',
      '',
    ].join('\n'),
  );
});

test('a figure has about three digits, and whole numbers stay unchanged', () => {
  expect([0, 0.4213, 4.2, 42.13, 421.3, 42_130.4, -3.66, 19].map(figure)).toEqual([
    '0',
    '0.42',
    '4.20',
    '42.1',
    '421',
    '42,130',
    '-3.66',
    '19',
  ]);
});

describe('a block of a document', () => {
  const document =
    'Before\n<!-- bench:a -->\nold\n<!-- /bench:a -->\nBetween\n<!-- bench:b -->\nkept\n<!-- /bench:b -->\nAfter\n';

  test('is replaced between its marks, and nothing else is', () => {
    expect(replaceBlock(document, 'a', 'new $& $1')).toBe(
      document.replace('\nold\n', () => '\n\nnew $& $1\n\n'),
    );
  });

  test('stays unchanged when it is replaced by the same text', () => {
    const once = replaceBlock(document, 'a', 'new');
    expect(replaceBlock(once, 'a', 'new')).toBe(once);
  });

  test('that is missing is an error', () => {
    expect(() => replaceBlock(document, 'c', 'new')).toThrow('bench:c');
  });
});

test('tools/bench/report.md has a block for the facts and for every scenario', () => {
  const document = readFileSync(`${root}/tools/bench/report.md`, 'utf8');
  const filled = ['facts', ...scenarioNames].reduce(
    (text, id) => replaceBlock(text, id, `figures of ${id}`),
    document,
  );
  for (const id of ['facts', ...scenarioNames]) expect(filled).toContain(`figures of ${id}`);
});
