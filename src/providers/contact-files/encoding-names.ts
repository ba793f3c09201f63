import { encodings, type Encoding } from './encodings.ts';

/**
 * The encoding that a name means, in any case, with or without hyphens: one of ours, or another usual name.
 * Null for an unknown name.
 */
export function encodingNamed(name: string): Encoding | null {
  return byName.get(bareName(name)) ?? null;
}

/** The name of an encoding by which HTTP and browsers know it (IANA). */
export function charsetOf(encoding: Encoding): string {
  return ianaNames[encoding] ?? encoding.replace(/^win/, 'windows-').replace(/^iso8859/, 'iso-8859');
}

const ianaNames: Partial<Record<Encoding, string>> = {
  utf8: 'utf-8',
  utf16le: 'utf-16le',
  utf16be: 'utf-16be',
  cp866: 'ibm866',
  shiftjis: 'shift_jis',
  eucjp: 'euc-jp',
  euckr: 'euc-kr',
};

const bareName = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');

const namesOf = (encoding: Encoding, ...names: string[]): [string, Encoding][] =>
  names.map((name) => [name, encoding]);

const windowsNames = (encoding: Encoding): [string, Encoding][] => {
  const page = encoding.slice('win'.length);
  return namesOf(encoding, `windows${page}`, `cp${page}`, page);
};

/** If one encoding extends another, the larger one is used, as browsers do. */
const byName: ReadonlyMap<string, Encoding> = new Map([
  ...encodings.flatMap((each) => namesOf(each, bareName(each))),
  ...encodings.filter((each) => each.startsWith('win')).flatMap(windowsNames),
  ...namesOf('utf8', 'utf8bom', 'utf8sig'),
  ...namesOf('win1252', 'latin1', 'l1', 'iso88591', 'ascii', 'usascii'),
  ...namesOf('iso8859-2', 'latin2', 'l2'),
  ...namesOf('win1254', 'latin5', 'l5', 'iso88599'),
  ...namesOf('iso8859-15', 'latin9', 'l9'),
  ...namesOf('cp866', 'ibm866', 'dos866', '866'),
  ...namesOf('macintosh', 'mac', 'macroman'),
  ...namesOf('shiftjis', 'sjis', 'cp932', 'ms932', 'windows31j'),
  ...namesOf('gb18030', 'gbk', 'gb2312', 'cp936', 'windows936'),
  ...namesOf('big5', 'cp950', 'windows950'),
  ...namesOf('euckr', 'cp949', 'windows949', 'uhc'),
]);
