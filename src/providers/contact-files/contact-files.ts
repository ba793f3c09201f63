import { charsetOf } from './encoding-names.ts';
import { toTextReading } from './text-rows.ts';
import { blankText, blankWorkbook } from './blank.ts';
import { kindOf } from './kind.ts';
import type { ContactFiles, FileRow } from './port.ts';
import { rewriteText } from './rewrite.ts';
import { beginning } from './sample.ts';
import { inspectText, rowsOfText } from './text-file.ts';
import { inspectWorkbook, workbookRows } from './workbook-file.ts';

/** Reads contact files within the process, without any outside service. */
export function createContactFiles(): ContactFiles {
  return {
    async inspect(file, wished = {}) {
      const kind = await kindOf(await beginning(file, kindBytes));
      switch (kind.kind) {
        case 'refused':
          return kind;
        case 'archive':
          return await inspectWorkbook(file, wished);
        case 'text':
          return await inspectText(file, wished);
      }
    },
    // Only a workbook has sheets.
    rows: (file, reading) =>
      reading.sheet === null ? rowsOfText(file, reading) : rowsOfSheet(file, reading),
    charsetOf: (reading) => charsetOf(toTextReading(reading).encoding),
    rewrite: rewriteText,
    blank: (file, reading, isBlanked) =>
      reading.sheet === null
        ? { reading, bytes: blankText(file, reading, isBlanked) }
        : {
            reading: { encoding: 'utf8', separator: ',', sheet: null, headerLine: reading.headerLine },
            bytes: blankWorkbook(file, reading, isBlanked),
          },
  };
}

async function* rowsOfSheet(...[file, reading]: Parameters<ContactFiles['rows']>): AsyncGenerator<FileRow[]> {
  for await (const { rows } of workbookRows(file, reading)) yield rows;
}

const kindBytes = 65_536;
