import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { isComplete } from '../../../tools/bootstrap/python.mjs';

let home = '';
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'parlance-test-'));
  mkdirSync(join(home, 'bin'));
  writeFileSync(join(home, 'bin', 'python'), '');
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

describe('a Python with packages', () => {
  test('is kept while the list is the same, and recreated when a version changed', () => {
    writeFileSync(join(home, 'complete'), 'a==1\nb==2\n');
    expect([isComplete(home, ['a==1', 'b==2']), isComplete(home, ['a==1', 'b==3'])]).toEqual([true, false]);
  });

  test('is recreated when an earlier run was interrupted', () => {
    expect(isComplete(home, ['a==1'])).toBe(false);
  });

  test('is recreated when its base Python no longer exists', () => {
    writeFileSync(join(home, 'complete'), 'a==1\n');
    rmSync(join(home, 'bin', 'python'));
    expect(isComplete(home, ['a==1'])).toBe(false);
  });
});
