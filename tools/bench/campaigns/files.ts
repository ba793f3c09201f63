import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { numberOf } from '../phone/people.ts';
import type { MeasuredService } from '../service.ts';
import { importContacts, type Directory } from './campaigns.ts';

/** Runs `work` with a temporary folder. */
export async function inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-campaign-'));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** An imported file of the first people, this many. */
export async function importPeople(service: MeasuredService, count: number): Promise<Directory> {
  return await inFolder(async (folder) => {
    const path = join(folder, 'people.csv');
    await writeFile(
      path,
      [
        'phone_number,first_name',
        ...Array.from({ length: count }, (_, index) => `+${numberOf(index)},Maria`),
      ].join('\n'),
    );
    return await importContacts(service, path);
  });
}
