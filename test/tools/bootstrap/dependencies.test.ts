import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { isInstalled, lockfileStamp } from '../../../tools/bootstrap/dependencies.mjs';

let project = '';
beforeEach(() => {
  project = mkdtempSync(join(tmpdir(), 'parlance-test-'));
});
afterEach(() => rmSync(project, { recursive: true, force: true }));

const stampFile = () => join(project, 'installed');

function installed(lockfile: string, stamp: string): boolean {
  mkdirSync(join(project, 'node_modules'), { recursive: true });
  writeFileSync(join(project, 'node_modules', '.package-lock.json'), '{}');
  writeFileSync(join(project, 'package-lock.json'), lockfile);
  writeFileSync(stampFile(), stamp);
  return isInstalled(project, stampFile());
}

describe('the dependencies', () => {
  test('are not installed again while the lockfile is the same', () => {
    expect(installed('{"a":1}', lockfileStamp('{"a":1}'))).toBe(true);
  });

  test('are installed again when the lockfile changed', () => {
    expect(installed('{"a":2}', lockfileStamp('{"a":1}'))).toBe(false);
  });

  test('are installed again on another platform', () => {
    expect(installed('{}', lockfileStamp('{}', 'other-arm'))).toBe(false);
  });

  test('are installed after node_modules was removed', () => {
    installed('{}', lockfileStamp('{}'));
    rmSync(join(project, 'node_modules'), { recursive: true });
    expect(isInstalled(project, stampFile())).toBe(false);
  });

  test('are installed on a fresh clone', () => {
    expect(isInstalled(project, stampFile())).toBe(false);
  });
});
