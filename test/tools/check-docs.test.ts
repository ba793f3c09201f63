import { describe, expect, test } from '@jest/globals';
import { namedPaths } from '../../tools/check-docs.ts';

describe('the paths that a document names', () => {
  test('are those in backticks that begin with a folder of ours, and relative links', () => {
    const { inBackticks, links } = namedPaths(
      'See `src/api/main.ts`, `npm start`, `config/x.ts` and [this](docs/a.md#part) or [that](https://example.com/src/x).',
    );
    expect(inBackticks).toEqual(['src/api/main.ts']);
    expect(links).toEqual(['docs/a.md']);
  });

  test('in braces are each meant', () => {
    expect(namedPaths('`src/api/{app,main}.ts`').inBackticks).toEqual(['src/api/app.ts', 'src/api/main.ts']);
  });

  test('with a pattern or inside a code block are not meant', () => {
    expect(
      namedPaths(
        '`src/*/main.ts` `docs/decisions/NNNN-title.md` `src/<role>/port.ts`\n```sh\ncat `src/none.ts`\n```\n',
      ).inBackticks,
    ).toEqual([]);
  });
});
