import { createReadStream, readFileSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { createContactFiles } from '../../../src/providers/contact-files/contact-files.ts';
import { ContactFileError, type StoredFile } from '../../../src/providers/contact-files/port.ts';

/**
 * A process that reads the contact files of a folder as an upload and an import do, for tests that try to
 * fill its memory. It prints a line for each file.
 */
const [folder = ''] = process.argv.slice(2);
const files = createContactFiles();

async function read(path: string): Promise<object> {
  const file: StoredFile = {
    bytes: (await stat(path)).size,
    read: (range) => createReadStream(path, { start: range?.first, end: range?.last }),
  };
  try {
    const found = await files.inspect(file);
    if (found.kind === 'refused') return { refused: found.code };
    let [rows, maxCharacters] = [0, 0];
    for await (const batch of files.rows(file, found.reading))
      for (const { cells } of batch) {
        rows += 1;
        maxCharacters = Math.max(
          maxCharacters,
          cells.reduce((sum, { length }) => sum + length, 0),
        );
      }
    return { rows, maxCharacters };
  } catch (error) {
    if (error instanceof ContactFileError) return { refused: error.fault };
    throw error;
  }
}

/** The most that this process used so far. Its resource usage would begin with that of the one that started it. */
function maxMb(): number {
  const [, kilobytes] = /^VmHWM:\s*(\d+)/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? [];
  return Math.round(Number(kilobytes) / 1024);
}

process.stdout.write(`${JSON.stringify({ name: 'idle', maxMb: maxMb() })}\n`);
for (const name of (await readdir(folder)).toSorted())
  process.stdout.write(`${JSON.stringify({ name, ...(await read(join(folder, name))), maxMb: maxMb() })}\n`);
