import { describe, expect, test } from '@jest/globals';
import {
  citationFaults,
  citationsIn,
  foreignFaults,
  headingFaults,
  numberedHeadings,
} from '../../tools/citations.ts';
import { citingFiles, faultyCitations, namedPaths } from '../../tools/check-docs.ts';

describe('the paths that a document names', () => {
  test('are those in backticks that begin with a folder of the project, and relative links', () => {
    const { inBackticks, links } = namedPaths(
      'See `src/api/main.ts`, `npm start`, `config/x.ts` and [this](docs/a.md#part) or [that](https://example.com/src/x).',
    );
    expect(inBackticks).toEqual(['src/api/main.ts']);
    expect(links).toEqual(['docs/a.md']);
  });

  test('in braces are expanded', () => {
    expect(namedPaths('`src/api/{app,main}.ts`').inBackticks).toEqual(['src/api/app.ts', 'src/api/main.ts']);
  });

  test('with a pattern or inside a code block do not count', () => {
    expect(
      namedPaths(
        '`src/*/main.ts` `docs/decisions/NNNN-title.md` `src/<role>/port.ts`\n```sh\ncat `src/none.ts`\n```\n',
      ).inBackticks,
    ).toEqual([]);
  });
});

describe('sections of the contract that a text cites', () => {
  const cited = (text: string) => citationsIn(text).map(({ section }) => section);

  test.each([
    ['one', '/** Runs once (contract 5.1). */', ['5.1']],
    ['a whole chapter', '/** Campaigns (contract 11), and more. */', ['11']],
    ['at the beginning of a sentence', '/** Contract 6.2; `web_call` is ours. */', ['6.2']],
    ['several', '(contract 0.2, 0.3, 5.1)', ['0.2', '0.3', '5.1']],
    ['a range', '(contract 8.4–8.6; contract 11.5 to 11.8)', ['8.4', '8.6', '11.5', '11.8']],
    ['with rows', '(contract 5.3, rows 1 to 4; 5.5)', ['5.3', '5.5']],
    ['over a line break', ' * (contract 6.4,\n * 11.6) and contract\n * 3.1', ['6.4', '11.6', '3.1']],
    ['no other numbers', 'contract 9.4: 20.5 s; contract 17, 6', ['9.4', '17']],
  ])('are found: %s', (_title, text, sections) => {
    expect(cited(text)).toEqual(sections);
  });

  test('exist; a wrong one is reported with file, line and section', () => {
    const sections = new Set(
      numberedHeadings('## 5. Calls\n\n### 5.1 Triggers\n').map((each) => each.section),
    );
    expect(citationFaults('src/a.ts', '// one\n// two (contract 5.1, 5.9)\n', sections)).toEqual([
      'src/a.ts:2 cites contract 5.9, and docs/contract.md has no such section',
    ]);
  });

  test('have unique numbers in order', () => {
    expect(headingFaults('c.md', '## 1. A\n### 1.2 B\n### 1.10 C\n### 1.2 D\n## 3. E\n## 2. F\n')).toEqual([
      'c.md:4 has a second section 1.2',
      'c.md:6 has section 2 in the wrong place',
    ]);
  });

  test('are the only citations: a document outside the repository is reported', () => {
    const text = '// (voice.md 5.3), (docs/audit.md 2)\n// the interface\n// document says\n';
    expect(foreignFaults('src/a.ts', text, (name) => name === 'docs/audit.md')).toEqual([
      'src/a.ts:1 cites voice.md, which is not in the repository',
      'src/a.ts:2 cites an interface document, which is not in the repository',
    ]);
  });

  test('are looked for in the console, too', () => {
    expect(citingFiles()).toEqual(
      expect.arrayContaining(['console/src/main.ts', 'console/src/screens/campaigns/fields.tsx']),
    );
  });

  test('of this repository are right', () => {
    expect(faultyCitations()).toEqual([]);
  });
});
