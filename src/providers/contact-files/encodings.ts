import iconv from 'iconv-lite';

/** Encodings to choose from, by iconv's names, the likeliest first. */
export const encodings = [
  'utf8',
  'win1252',
  'win1251',
  'win1250',
  'utf16le',
  'utf16be',
  'utf32le',
  'utf32be',
  'koi8-r',
  'koi8-u',
  'cp866',
  'iso8859-2',
  'iso8859-5',
  'iso8859-15',
  'win1253',
  'win1254',
  'win1255',
  'win1256',
  'win1257',
  'win874',
  'iso8859-7',
  'cp850',
  'cp852',
  'macintosh',
  'maccenteuro',
  'maccyrillic',
  'shiftjis',
  'eucjp',
  'gb18030',
  'big5',
  'euckr',
] as const;

export type Encoding = (typeof encodings)[number];

export function isEncoding(name: string | null | undefined): name is Encoding {
  return encodings.some((each) => each === name);
}

export interface Decoder {
  write: (bytes: Uint8Array) => string;
  end: () => string;
}

/** Decodes text in chunks. A byte-order mark is dropped, invalid bytes become U+FFFD. */
export function createDecoder(encoding: Encoding): Decoder {
  if (encoding === 'utf8') {
    const decoder = new TextDecoder('utf-8');
    return { write: (bytes) => decoder.decode(bytes, { stream: true }), end: () => decoder.decode() };
  }
  const decoder = iconv.getDecoder(encoding, { stripBOM: true });
  return {
    write: (bytes) => decoder.write(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)),
    end: () => decoder.end() ?? '',
  };
}

export async function* decoded(bytes: AsyncIterable<Uint8Array>, encoding: Encoding): AsyncGenerator<string> {
  const decoder = createDecoder(encoding);
  for await (const piece of bytes) {
    const text = decoder.write(piece);
    if (text !== '') yield text;
  }
  const rest = decoder.end();
  if (rest !== '') yield rest;
}

export function encode(text: string, encoding: Encoding): Uint8Array {
  return encoding === 'utf8' ? Buffer.from(text, 'utf8') : iconv.encode(text, encoding, { addBOM: false });
}

/** The byte-order mark of this encoding; empty if it has none. */
export function markOf(encoding: Encoding): Uint8Array {
  return Buffer.from(marks.find((mark) => mark.encoding === encoding)?.bytes ?? []);
}

/** The encoding that a byte-order mark names. */
export function markedEncoding(head: Uint8Array): Encoding | null {
  return marks.find(({ bytes }) => bytes.every((byte, index) => head[index] === byte))?.encoding ?? null;
}

const marks: readonly { encoding: Encoding; bytes: readonly number[] }[] = [
  { encoding: 'utf8', bytes: [0xef, 0xbb, 0xbf] },
  { encoding: 'utf32le', bytes: [0xff, 0xfe, 0, 0] },
  { encoding: 'utf32be', bytes: [0, 0, 0xfe, 0xff] },
  { encoding: 'utf16le', bytes: [0xff, 0xfe] },
  { encoding: 'utf16be', bytes: [0xfe, 0xff] },
];
