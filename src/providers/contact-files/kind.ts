import { fileTypeFromBuffer } from 'file-type';
import { markedEncoding } from './encodings.ts';
import { wideEncoding } from './guess-encoding.ts';
import type { RefusalCode } from './port.ts';

export type Kind = { kind: 'text' } | { kind: 'archive' } | Refusal;

export interface Refusal {
  kind: 'refused';
  code: RefusalCode;
  message: string;
}

export function refused(code: RefusalCode, message: string): Refusal {
  return { kind: 'refused', code, message };
}

/**
 * The kind of a file by its first bytes, never by its name or declared media type. A ZIP archive may still
 * not be a workbook.
 */
export async function kindOf(head: Uint8Array): Promise<Kind> {
  if (head.length === 0)
    return refused(
      'empty',
      'The file is empty; export the contacts again, with one line of column names above them',
    );
  if (markedEncoding(head) !== null || wideEncoding(head) !== null) return { kind: 'text' };
  const found = await fileTypeFromBuffer(head);
  if (startsLikeArchive(head)) return { kind: 'archive' };
  if (found?.ext === 'cfb') return compoundFile(head);
  if (found !== undefined && !isTextType(found.mime) && !isWords(head, found.ext))
    return refused(
      'not_a_table',
      `The file is ${article(found.ext.toUpperCase())} file, whatever its name says; upload CSV or XLSX`,
    );
  if (isBinary(head))
    return refused(
      'not_a_table',
      'The file is neither text nor a workbook, whatever its name says; upload CSV or XLSX',
    );
  return markup(head) ?? { kind: 'text' };
}

function startsLikeArchive(head: Uint8Array): boolean {
  return (
    head[0] === 0x50 &&
    head[1] === 0x4b &&
    ((head[2] === 3 && head[3] === 4) || (head[2] === 5 && head[3] === 6))
  );
}

/** Old workbooks and new ones with a password use the same container format. */
function compoundFile(head: Uint8Array): Refusal {
  if (Buffer.from(head).includes(Buffer.from('EncryptedPackage', 'utf16le')))
    return refused('locked_workbook', 'The workbook is protected by a password; save it without one');
  return refused(
    'old_workbook',
    'The file is an old Excel workbook (.xls); open it and save it as an Excel workbook (.xlsx) or as CSV',
  );
}

function isTextType(mime: string): boolean {
  return mime.startsWith('text/');
}

function article(kind: string): string {
  return `${/^[AEFHILMNORSX]/.test(kind) ? 'an' : 'a'} ${kind}`;
}

/**
 * A few signatures are two or three letters with which a text may begin, too. What follows them in such a
 * file is not text. For these kinds, which are text throughout, the signature decides.
 */
function isWords(head: Uint8Array, kind: string): boolean {
  return (
    !writtenKinds.has(kind) &&
    head.every((byte) => byte >= 0x20 || (byte >= 0x09 && byte <= 0x0d)) &&
    !head.includes(0x7f)
  );
}

const writtenKinds: ReadonlySet<string> = new Set(['pdf', 'rtf', 'ps', 'eps', 'xml', 'reg', 'pgp']);

/**
 * Text has no zeros, and hardly any control characters other than tabs, line breaks and the old end-of-file
 * mark.
 */
function isBinary(head: Uint8Array): boolean {
  let controls = 0;
  for (const byte of head) {
    if (byte === 0) return true;
    if (byte < 0x20 && !(byte >= 0x09 && byte <= 0x0d) && byte !== 0x1a && byte !== 0x1b) controls += 1;
  }
  return controls > head.length / 100;
}

/** Web pages, XML and JSON are text, but not tables. Many programs export them under a table's file name. */
function markup(head: Uint8Array): Refusal | null {
  const start = Buffer.from(head.subarray(0, 1024)).toString('latin1').trimStart().toLowerCase();
  if (/^<(?:!doctype|html|head|body|table|meta|style)\b/.test(start))
    return refused(
      'not_a_table',
      'The file is a web page, whatever its name says; open it in a spreadsheet program and save it as XLSX or CSV',
    );
  if (/^<\?xml|^<[a-z]+:?[a-z]*[\s>]/.test(start))
    return refused(
      'not_a_table',
      'The file is XML; open it in a spreadsheet program and save it as XLSX or CSV',
    );
  if (/^(?:\{\s*"|\[\s*[{["])/.test(start))
    return refused('not_a_table', 'The file is JSON; upload CSV or XLSX');
  return null;
}
