import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';

/**
 * Lints a few files with the real lint configuration; each file breaks (or keeps) one rule of
 * docs/architecture.md.
 */
const root = join(import.meta.dirname, '../..');
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'parlance-layers-'));
  cpSync(join(root, 'oxlint.config.ts'), join(folder, 'oxlint.config.ts'));
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

function lint(file: string, source: string): string {
  const path = join(folder, file);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, source);
  const run = spawnSync(process.execPath, [join(root, 'node_modules/oxlint/bin/oxlint'), file], {
    cwd: folder,
    encoding: 'utf8',
  });
  rmSync(path);
  return run.stdout + run.stderr;
}

describe('an import against the layers is a lint error', () => {
  test.each([
    [
      'src/domain/a.ts',
      "import { createDataSource } from '../db/data-source.ts';\nexport const a = createDataSource;\n",
    ],
    [
      'src/domain/graph/a.ts',
      "import type { Row } from '../../db/tables/agents.ts';\nexport type A = Row;\n",
    ],
    [
      'src/workflows/a.ts',
      "import { createCallActivities } from '../activities/call.ts';\nexport const a = createCallActivities;\n",
    ],
    ['src/workflows/b.ts', "import { z } from 'zod';\nexport const b = z;\n"],
    [
      'src/cli/a.ts',
      "import { carriers } from '../contract/data/carriers.ts';\nexport const a = carriers;\n",
    ],
    ['src/services/a.ts', "import express from 'express';\nexport const a = express;\n"],
    ['src/services/b.ts', "import { openai } from '../providers/llm/openai.ts';\nexport const b = openai;\n"],
    [
      'src/api/a.ts',
      "import { createDataSource } from '../db/data-source.ts';\nexport const a = createDataSource;\n",
    ],
    ['src/contract/a.ts', "import { x } from '../services/x.ts';\nexport const a = x;\n"],
    [
      'src/providers/llm/a.ts',
      "import { x } from '../../../emulators/llm/server.ts';\nexport const a = x;\n",
    ],
  ])('%s', (file, source) => {
    expect(lint(file, source)).toContain('no-restricted-imports');
  });
});

describe('an import along the layers is not a lint error', () => {
  test.each([
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
  ])('%s', (file, source) => {
    expect(lint(file, source)).not.toContain('no-restricted-imports');
  });
});

test('the environment is read in one place only', () => {
  expect(lint('src/services/d.ts', "export const d = process.env['HOME'];\n")).toContain('no-process-env');
});
