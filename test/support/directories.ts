import { randomUUID } from 'node:crypto';
import type { DataSource } from 'typeorm';
import { directories, type DirectoryRow } from '../../src/db/tables/directories.ts';
import { noTotals } from '../../src/domain/directory/totals.ts';
import type { Files } from '../../src/providers/storage/port.ts';
import { insertedId } from './inserted-id.ts';

const boundary = 'between-the-parts';

/** Content type of `contactForm`. */
export const contactFormType = `multipart/form-data; boundary=${boundary}`;

/** A form with one file in it, as a client writes it. */
export function contactForm(
  fileName: string,
  content: string,
  fields: Readonly<Record<string, string>> = {},
): string {
  const parts = Object.entries(fields).map(
    ([name, value]) => `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  return `${parts.join('')}--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${fileName}"\r\nContent-Type: text/csv\r\n\r\n${content}\r\n--${boundary}--\r\n`;
}

/** Stores written files in memory; other operations go to `beneath`. */
export function keptFiles(beneath: Files): Files {
  const kept = new Map<string, Buffer>();
  return {
    ...beneath,
    async write(key, bytes, maxBytes) {
      const chunks: Uint8Array[] = [];
      for await (const chunk of bytes) chunks.push(chunk);
      const whole = Buffer.concat(chunks);
      if (whole.length > maxBytes) return false;
      kept.set(key, whole);
      return true;
    },
    facts: async (key) => {
      const found = kept.get(key);
      return found === undefined
        ? await beneath.facts(key)
        : { bytes: found.length, modifiedAt: new Date(0), mediaType: 'text/csv' };
    },
    async *read(key, range) {
      const found = kept.get(key);
      if (found === undefined) yield* beneath.read(key, range);
      else yield range === undefined ? found : found.subarray(range.first, range.last + 1);
    },
    remove: (key) => {
      kept.delete(key);
      return Promise.resolve();
    },
  };
}

/** A directory whose file does not exist. */
export async function insertDirectoryRow(
  db: DataSource,
  organizationId: number,
  changes: Partial<
    Pick<
      DirectoryRow,
      'name' | 'fileName' | 'state' | 'importNumber' | 'fileKey' | 'repairedFromId' | 'columns'
    >
  > = {},
): Promise<number> {
  const uuid = randomUUID();
  return await insertedId(
    db.getRepository(directories).insert({
      uuid,
      organizationId,
      name: 'List',
      fileKey: `campaigns/${organizationId}/${uuid}_list.csv`,
      fileName: 'list.csv',
      kind: 'csv',
      bytes: 30,
      sha256: uuid.replaceAll('-', ''),
      reading: { encoding: 'utf8', separator: ',', sheet: null, headerLine: 1 },
      mapping: {
        phone: 'phone_number',
        identifier: null,
        timeZone: null,
        doNotCall: null,
        priority: null,
        openingLine: null,
        skipped: [],
        defaultCountry: null,
        unassigned: 'call',
        duplicates: 'first',
      },
      state: 'uploaded',
      importNumber: 0,
      columns: ['phone_number'],
      totals: noTotals,
      fault: null,
      repairedFromId: null,
      createdByUserId: null,
      createdAt: new Date('2026-11-21T10:00:00Z'),
      importedAt: null,
      ...changes,
    }),
  );
}
