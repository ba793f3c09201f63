import { expect, test } from '@jest/globals';
import { openSync, closeSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { root } from '../support/process.ts';

test.each(['/dev/null', join(root, 'package.json')])(
  'a command with standard input %s ends as in a terminal',
  (path) => {
    const input = openSync(path, 'r');
    const { status, stdout, stderr } = spawnSync(process.execPath, ['src/cli/main.ts', '--version'], {
      cwd: root,
      stdio: [input, 'pipe', 'pipe'],
      encoding: 'utf8',
    });
    closeSync(input);
    expect({ status, stdout: stdout.trim(), stderr }).toEqual({
      status: 0,
      stdout: expect.stringMatching(/^\d+\.\d+\.\d+$/),
      stderr: '',
    });
  },
);
