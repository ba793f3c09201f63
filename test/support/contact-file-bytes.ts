import { crc32, deflateRawSync } from 'node:zlib';
import type { ContactFiles, FileRow, ReadFile, StoredFile } from '../../src/providers/contact-files/port.ts';

/** A file in memory, read in pieces of this many bytes. */
export function storedFile(content: Uint8Array | string, pieceBytes = 1000): StoredFile {
  const bytes = Buffer.from(content);
  return {
    bytes: bytes.length,
    async *read(range = { first: 0, last: bytes.length - 1 }) {
      for (let at = range.first; at <= range.last; at += pieceBytes)
        yield await Promise.resolve(bytes.subarray(at, Math.min(at + pieceBytes, range.last + 1)));
    },
  };
}

export interface ZipPart {
  path: string;
  content: string | Uint8Array;
  /** The size in the archive's header; correct by default. */
  declaredBytes?: number;
}

/** A ZIP archive, possibly with wrong headers. */
export function zipOf(parts: readonly ZipPart[]): Buffer {
  const pieces: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { path, content, declaredBytes } of parts) {
    const bytes = Buffer.from(content);
    const packed = deflateRawSync(bytes, { level: 9 });
    const name = Buffer.from(path);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(8, 4);
    common.writeUInt32LE(crc32(bytes), 10);
    common.writeUInt32LE(packed.length, 14);
    common.writeUInt32LE(declaredBytes ?? bytes.length, 18);
    common.writeUInt16LE(name.length, 22);
    const local = Buffer.concat([Buffer.from('PK\u0003\u0004'), common, name, packed]);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(offset, 10);
    directory.push(Buffer.concat([Buffer.from('PK\u0001\u0002'), Buffer.from([20, 0]), common, tail, name]));
    pieces.push(local);
    offset += local.length;
  }
  const end = Buffer.alloc(22);
  end.write('PK\u0005\u0006');
  end.writeUInt16LE(parts.length, 8);
  end.writeUInt16LE(parts.length, 10);
  end.writeUInt32LE(Buffer.concat(directory).length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...pieces, ...directory, end]);
}

const relations = (targets: readonly string[]): string =>
  `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${targets.map((each, index) => `<Relationship Id="r${index + 1}" ${each}/>`).join('')}</Relationships>`;
const typed = (type: string, target: string): string =>
  `Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/${type}" Target="${target}"`;

/** A workbook of one sheet with the given XML, for content that no library writes. */
export function workbookOf(
  sheetData: string,
  {
    sharedStrings = '',
    declaredSheetBytes,
    prefix = '',
  }: { sharedStrings?: string; declaredSheetBytes?: number; prefix?: string } = {},
): Buffer {
  const sheet = `<${prefix}worksheet${prefix === '' ? '' : ' xmlns:x="urn:x"'}><${prefix}sheetData>${sheetData}</${prefix}sheetData></${prefix}worksheet>`;
  return zipOf([
    { path: '_rels/.rels', content: relations([typed('officeDocument', 'xl/workbook.xml')]) },
    {
      path: 'xl/workbook.xml',
      content:
        '<workbook xmlns:r="urn:r"><sheets><sheet name="Contacts" sheetId="1" r:id="r1"/></sheets></workbook>',
    },
    {
      path: 'xl/_rels/workbook.xml.rels',
      content: relations([
        typed('worksheet', 'worksheets/of-my-own.xml'),
        typed('sharedStrings', '/xl/sharedStrings.xml'),
      ]),
    },
    {
      path: 'xl/worksheets/of-my-own.xml',
      content: sheet,
      ...(declaredSheetBytes === undefined ? {} : { declaredBytes: declaredSheetBytes }),
    },
    { path: 'xl/sharedStrings.xml', content: `<sst>${sharedStrings}</sst>` },
  ]);
}

/** The inspection of a file that must be readable. */
export async function inspected(
  files: ContactFiles,
  file: StoredFile,
  wished?: Parameters<ContactFiles['inspect']>[1],
): Promise<ReadFile> {
  const inspection = await files.inspect(file, wished);
  if (inspection.kind === 'refused') throw new Error(`refused: ${inspection.code}, ${inspection.message}`);
  return inspection;
}

/** All rows of a file, as its inspection reads it. */
export async function allRows(
  files: ContactFiles,
  file: StoredFile,
  wished?: Parameters<ContactFiles['inspect']>[1],
): Promise<FileRow[]> {
  const { reading } = await inspected(files, file, wished);
  const rows: FileRow[] = [];
  for await (const batch of files.rows(file, reading)) rows.push(...batch);
  return rows;
}
