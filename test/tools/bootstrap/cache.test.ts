import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { cachedEntry, cacheHome, entryName, provideEntry } from '../../../tools/bootstrap/cache.mjs';

let home = '';
let made = 0;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'parlance-test-'));
  made = 0;
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const make = async (part: string): Promise<void> => {
  made += 1;
  mkdirSync(join(part, 'bin'));
  writeFileSync(join(part, 'bin', 'server'), 'x'.repeat(100));
};
const provide = () => provideEntry('server-1', make, home);

describe('the cache of provided programs', () => {
  test('is in PARLANCE_CACHE_HOME, else below XDG_CACHE_HOME, and names version and platform', () => {
    expect(cacheHome({ PARLANCE_CACHE_HOME: '/big', XDG_CACHE_HOME: '/x' })).toBe('/big');
    expect(cacheHome({ XDG_CACHE_HOME: '/x' })).toBe('/x/parlance');
    expect(cacheHome({})).toMatch(/\/\.cache\/parlance$/);
    expect(entryName('temporal', '1.8.2', 'linux-x64')).toBe('temporal-1.8.2-linux-x64');
  });

  test('provides an entry once', async () => {
    const path = await provide();
    expect(await provide()).toBe(path);
    expect(made).toBe(1);
    expect(readFileSync(join(path, 'bin', 'server'), 'utf8')).toHaveLength(100);
    expect(readdirSync(home)).toEqual(['server-1']);
  });

  test.each([
    ['a truncated file', (path: string) => truncateSync(join(path, 'bin', 'server'), 50)],
    ['a missing file', (path: string) => rmSync(join(path, 'bin', 'server'))],
    ['no stamp', (path: string) => rmSync(join(path, 'stamp.json'))],
    ['half a stamp', (path: string) => writeFileSync(join(path, 'stamp.json'), '{"fil')],
  ])('removes an entry with %s and provides it again', async (_, damage) => {
    damage(await provide());
    expect(cachedEntry('server-1', home)).toBeNull();
    expect(existsSync(join(home, 'server-1'))).toBe(false);
    expect(readFileSync(join(await provide(), 'bin', 'server'), 'utf8')).toHaveLength(100);
    expect(made).toBe(2);
  });

  test('keeps nothing of a failed provision, and the next one starts with an empty folder', async () => {
    const failing = async (part: string): Promise<void> => {
      writeFileSync(join(part, 'half'), '');
      throw new Error('no space left on device');
    };
    await expect(provideEntry('server-1', failing, home)).rejects.toThrow('no space left');
    expect(readdirSync(home)).toEqual([]);
    expect(readdirSync(await provide()).toSorted()).toEqual(['bin', 'stamp.json']);
  });

  test('removes unfinished entries of a killed process, and keeps those of a running one', async () => {
    const [dead, alive] = [
      join(home, 'server-1.part-999999999'),
      join(home, `server-1.part-${process.ppid}`),
    ];
    for (const each of [dead, alive]) mkdirSync(each);
    await provide();
    expect(readdirSync(home).toSorted()).toEqual(['server-1', `server-1.part-${process.ppid}`]);
  });

  test('uses the entry of another process that was faster', async () => {
    const path = await provideEntry(
      'server-1',
      async (part: string) => {
        await provide();
        await make(part);
      },
      home,
    );
    expect(cachedEntry('server-1', home)).toBe(path);
  });
});
