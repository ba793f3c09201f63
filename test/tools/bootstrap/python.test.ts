import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { provideEntry } from '../../../tools/bootstrap/cache.mjs';
import { environmentName, usableEnvironment } from '../../../tools/bootstrap/python.mjs';

let cache = '';
beforeEach(() => {
  cache = mkdtempSync(join(tmpdir(), 'parlance-test-'));
});
afterEach(() => rmSync(cache, { recursive: true, force: true }));

/** Makes an environment. One without its base has no Python, as when the link to it leads nowhere. */
const provide = (entry: string, hasBase: boolean) =>
  provideEntry(
    entry,
    async (part: string) => {
      mkdirSync(join(part, 'bin'));
      if (hasBase) writeFileSync(join(part, 'bin', 'python'), '');
      await Promise.resolve();
    },
    cache,
  );

describe('a Python with packages', () => {
  const wanted = { name: 'client', packages: ['a==1', 'b==2'], base: 'Python 3.13.1' };

  test('is another one for another version of a package and for another base Python', () => {
    const names = [
      environmentName(wanted),
      environmentName({ ...wanted, packages: ['a==1', 'b==3'] }),
      environmentName({ ...wanted, base: 'Python 3.14.0' }),
    ];
    expect(new Set(names).size).toBe(3);
    expect(environmentName({ ...wanted })).toBe(names[0]);
  });

  test('is kept for all clones of a user', async () => {
    const made = await provide('python-client', true);
    expect(usableEnvironment('python-client', cache)).toBe(made);
  });

  test('is recreated when its base Python no longer exists', async () => {
    await provide('python-client', false);
    expect(usableEnvironment('python-client', cache)).toBeNull();
    const again = await provide('python-client', true);
    expect(usableEnvironment('python-client', cache)).toBe(again);
  });
});
