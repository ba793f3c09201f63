import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { limits } from '../../../src/providers/contact-files/limits.ts';
import { edgeFiles, edgeKinds } from '../../support/fuzz/edge-files.ts';
import { runNode } from '../../support/process.ts';
import { isEverythingGenerated, propertySeed, seededBy } from '../../support/seed.ts';

/** No more than this above what the process uses when it is idle. */
const maxGrowthMb = 300;

interface Told {
  name: string;
  maxMb: number;
  rows?: number;
  maxCharacters?: number;
  refused?: string;
}

test('no workbook or CSV file with limits at their edges ends a process or fills its memory', async () => {
  const count = isEverythingGenerated ? 300 : edgeKinds;
  const random = seededBy(propertySeed(`${count} contact files`));
  const folder = await mkdtemp(join(tmpdir(), 'parlance-edges-'));
  try {
    for (const { name, bytes } of edgeFiles(count, random)) await writeFile(join(folder, name), bytes);
    const running = runNode('test/support/fuzz/contact-files.ts', { args: [folder] });
    const { code } = await running.ended;
    const told = running.output().trimEnd().split('\n');
    expect({ code, last: told.at(-1) }).toMatchObject({ code: 0 });
    const [idle, ...read]: Told[] = told.map((line) => JSON.parse(line));
    expect(read).toHaveLength(count);
    const grown = read.map(({ name, maxMb }) => `${maxMb - (idle?.maxMb ?? 0)} MB after ${name}`);
    process.stderr.write(`${idle?.maxMb} MB idle, ${grown.at(-1)}\n`);
    const tooMuch = read.findIndex(({ maxMb }) => maxMb - (idle?.maxMb ?? 0) > maxGrowthMb);
    expect(grown[tooMuch]).toBeUndefined();
    for (const { maxCharacters = 0 } of read)
      expect(maxCharacters).toBeLessThanOrEqual(limits.rowCharacters + limits.columns);
  } finally {
    await rm(folder, { recursive: true });
  }
});
