import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from '@jest/globals';
import { z } from 'zod';

/**
 * Lints a few files with the real lint configuration; each file breaks (or keeps) one rule of
 * docs/architecture.md.
 */
const Report = z.object({ diagnostics: z.array(z.object({ filename: z.string(), code: z.string() })) });
const root = join(import.meta.dirname, '../..');
/** Lints the files in one run and answers the rules that each breaks. */
function brokenRules(files: [file: string, source: string][]): Record<string, string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'parlance-layers-'));
  try {
    cpSync(join(root, 'oxlint.config.ts'), join(folder, 'oxlint.config.ts'));
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
    for (const [file, source] of files) {
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      writeFileSync(join(folder, file), source);
    }
    const { stdout } = spawnSync(
      process.execPath,
      [join(root, 'node_modules/oxlint/bin/oxlint'), '--format=json', 'src'],
      { cwd: folder, encoding: 'utf8' },
    );
    const { diagnostics } = Report.parse(JSON.parse(stdout));
    return Object.fromEntries(
      files.map(([file]) => [
        file,
        diagnostics.filter(({ filename }) => filename === file).map(({ code }) => code),
      ]),
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const against: [string, string][] = [
  [
    'src/domain/a.ts',
    "import { createDataSource } from '../db/data-source.ts';\nexport const a = createDataSource;\n",
  ],
  ['src/domain/graph/a.ts', "import type { Row } from '../../db/tables/agents.ts';\nexport type A = Row;\n"],
  [
    'src/workflows/a.ts',
    "import { createCallActivities } from '../activities/call.ts';\nexport const a = createCallActivities;\n",
  ],
  ['src/workflows/b.ts', "import { z } from 'zod';\nexport const b = z;\n"],
  ['src/cli/a.ts', "import { carriers } from '../contract/data/carriers.ts';\nexport const a = carriers;\n"],
  ['src/services/a.ts', "import express from 'express';\nexport const a = express;\n"],
  ['src/services/b.ts', "import { openai } from '../providers/llm/openai.ts';\nexport const b = openai;\n"],
  [
    'src/api/a.ts',
    "import { createDataSource } from '../db/data-source.ts';\nexport const a = createDataSource;\n",
  ],
  ['src/contract/a.ts', "import { x } from '../services/x.ts';\nexport const a = x;\n"],
  ['src/providers/llm/a.ts', "import { x } from '../../../emulators/llm/server.ts';\nexport const a = x;\n"],
];
const along: [string, string][] = [
  [
    'src/workflows/c.ts',
    "import type { CallActivities } from '../activities/call.ts';\nexport type C = CallActivities;\n",
  ],
  [
    'src/services/c.ts',
    "import type { LlmPort } from '../providers/llm/port.ts';\nexport type C = LlmPort;\n",
  ],
  [
    'src/api/main.ts',
    "import { createDataSource } from '../db/data-source.ts';\nexport const a = createDataSource;\n",
  ],
];

test('imports against the layers are lint errors, imports along them are not', () => {
  const outside = ['src/services/z.ts', "export const z = process.env['HOME'];\n"] as [string, string];
  const broken = brokenRules([...against, ...along, outside]);
  for (const [file] of against)
    expect({ file, rules: broken[file] }).toEqual({
      file,
      rules: expect.arrayContaining(['eslint(no-restricted-imports)']),
    });
  for (const [file] of along)
    expect({ file, rules: broken[file] }).toEqual({
      file,
      rules: expect.not.arrayContaining(['eslint(no-restricted-imports)']),
    });
  // The environment is read in one place only.
  expect(broken['src/services/z.ts']).toContain('node(no-process-env)');
});
