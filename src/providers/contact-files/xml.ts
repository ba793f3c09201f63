import { SaxesParser } from 'saxes';
import { limits } from './limits.ts';
import { ContactFileError } from './port.ts';

export interface XmlReader {
  /** Names come without their prefix. */
  open: (name: string, attributes: Readonly<Record<string, string>>) => void;
  close: (name: string) => void;
  text: (text: string) => void;
}

/**
 * Parses XML in chunks into `reader`. Throws if the XML is not well formed. Custom entities are not resolved,
 * so they cannot expand. Throws ContactFileError if a tag, a text or a comment is too long, because the parser
 * holds it in many times its size.
 */
export function createXmlParser(reader: XmlReader): { write: (bytes: Uint8Array) => void } {
  const parser = new SaxesParser<{ xmlns: false; position: false }>({ xmlns: false, position: false });
  const decoder = new TextDecoder('utf-8');
  parser.on('error', (error) => {
    throw error;
  });
  let [sinceEvent, depth] = [0, 0];
  parser.on('opentag', ({ name, attributes }) => {
    sinceEvent = 0;
    depth += 1;
    if (depth > limits.xmlDepth) throw tooDeep();
    reader.open(localName(name), attributes);
  });
  parser.on('closetag', ({ name }) => {
    sinceEvent = 0;
    depth -= 1;
    reader.close(localName(name));
  });
  parser.on('text', (text) => reader.text(text));
  return {
    write(bytes) {
      sinceEvent += bytes.length;
      parser.write(decoder.decode(bytes, { stream: true }));
      // guarantee: long-xml-piece-refused
      if (sinceEvent > limits.xmlPieceBytes) throw tooLong();
    },
  };
}

function tooDeep(): ContactFileError {
  return new ContactFileError(
    'too_large_inside',
    `The workbook nests more than ${limits.xmlDepth} elements; open it, save it again, and upload it again`,
  );
}

function tooLong(): ContactFileError {
  return new ContactFileError(
    'too_large_inside',
    `A text or a tag of the workbook takes more than ${limits.xmlPieceBytes / 1024 ** 2} MiB; save the contacts as CSV`,
  );
}

/** Reads a whole document. */
export async function readXml(pieces: AsyncIterable<Uint8Array>, reader: XmlReader): Promise<void> {
  const parser = createXmlParser(reader);
  for await (const piece of pieces) parser.write(piece);
}

function localName(name: string): string {
  const colon = name.indexOf(':');
  return colon === -1 ? name : name.slice(colon + 1);
}

/** An attribute by its name without prefix; undefined if it is missing. */
export function attributeOf(
  attributes: Readonly<Record<string, string>>,
  wanted: string,
): string | undefined {
  return Object.entries(attributes).find(([name]) => localName(name) === wanted)?.[1];
}
