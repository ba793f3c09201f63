import { describe, expect, test } from '@jest/globals';
import { createKeptSounds } from '../../../src/media/playout/kept-sounds.ts';

const soundOf = (samples: number) => ({ 8000: new Int16Array(samples), 16000: new Int16Array(2 * samples) });

describe('sounds that a media host keeps', () => {
  test('are loaded once, also when two calls ask at the same time', async () => {
    let loads = 0;
    const sounds = createKeptSounds(() => Promise.resolve(soundOf((loads += 1))));
    const asked = await Promise.all([sounds.of('a'), sounds.of('a')]);
    expect([asked[0] === asked[1], (await sounds.of('a'))?.[8000].length, loads]).toEqual([true, 1, 1]);
  });

  test('take no more memory than the limit: the oldest are dropped', async () => {
    const loaded: string[] = [];
    const sounds = createKeptSounds((key) => {
      loaded.push(key);
      return Promise.resolve(soundOf(1000));
    }, 15_000);
    for (const key of ['a', 'b', 'c', 'c', 'b', 'a']) await sounds.of(key);
    expect(loaded).toEqual(['a', 'b', 'c', 'a']);
  });

  test('that could not be loaded are loaded again', async () => {
    let loads = 0;
    const sounds = createKeptSounds(() => {
      loads += 1;
      return loads === 1 ? Promise.reject(new Error('the storage is away')) : Promise.resolve(soundOf(1));
    });
    await expect(sounds.of('a')).rejects.toThrow('the storage is away');
    expect((await sounds.of('a'))?.[8000].length).toBe(1);
  });
});
