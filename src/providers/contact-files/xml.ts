import { SaxesParser } from 'saxes';

export interface XmlReader {
  /** Names come without their prefix. */
  open: (name: string, attributes: Readonly<Record<string, string>>) => void;
  close: (name: string) => void;
  text: (text: string) => void;
}

/**
 * Parses XML in chunks into `reader`. Throws if the XML is not well formed. Custom entities are not resolved,
 * so they cannot expand.
 */
export function createXmlParser(reader: XmlReader): { write: (bytes: Uint8Array) => void } {
  const parser = new SaxesParser<{ xmlns: false; position: false }>({ xmlns: false, position: false });
  const decoder = new TextDecoder('utf-8');
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ name, attributes }) => reader.open(localName(name), attributes));
  parser.on('closetag', ({ name }) => reader.close(localName(name)));
  parser.on('text', (text) => reader.text(text));
  return { write: (bytes) => void parser.write(decoder.decode(bytes, { stream: true })) };
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
