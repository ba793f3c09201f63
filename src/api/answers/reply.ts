type Content =
  | { kind: 'json'; value: unknown }
  | { kind: 'text'; text: string }
  | { kind: 'empty' }
  | { kind: 'file'; bytes: Buffer; mediaType: string }
  | { kind: 'stream'; pieces: AsyncIterable<string | Uint8Array>; mediaType: string };

/** An answer: status, headers and content. */
export class Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly content: Content;

  constructor(status: number, content: Content, headers: Readonly<Record<string, string>> = {}) {
    this.status = status;
    this.content = content;
    this.headers = headers;
  }
}

export const jsonReply = (
  status: number,
  value: unknown,
  headers?: Readonly<Record<string, string>>,
): Reply => new Reply(status, { kind: 'json', value }, headers);

export const redirect = (location: string): Reply =>
  new Reply(302, { kind: 'empty' }, { Location: location, 'Cache-Control': 'no-store' });

/** An answer sent as a stream. A failure in the middle closes the connection. */
export const streamReply = (
  mediaType: string,
  pieces: AsyncIterable<string | Uint8Array>,
  headers?: Readonly<Record<string, string>>,
): Reply => new Reply(200, { kind: 'stream', pieces, mediaType }, headers);

/**
 * A CSV file to save under this name, sent as a stream: in UTF-8 with its mark, without which Excel reads another
 * encoding.
 */
export const csvReply = (fileName: string, pieces: AsyncIterable<string | Uint8Array>): Reply =>
  customerCsvReply(fileName, marked(pieces), 'utf-8');

/** Lines of a customer's CSV file to save under this name, sent as a stream. `charset` is that of its bytes. */
export const customerCsvReply = (
  fileName: string,
  pieces: AsyncIterable<string | Uint8Array>,
  charset: string | undefined,
): Reply => savedReply(`text/csv; charset=${charset ?? 'utf-8'}`, fileName, pieces);

/** The mark is sent together with the first piece, so that a failure before it is still answered as an error. */
async function* marked(pieces: AsyncIterable<string | Uint8Array>): AsyncGenerator<string | Uint8Array> {
  let isFirst = true;
  for await (const piece of pieces) {
    // guarantee: csv-begins-with-its-mark
    if (isFirst) yield '\uFEFF';
    isFirst = false;
    yield piece;
  }
}

/** A workbook to save under this name, sent as a stream. */
export const workbookReply = (fileName: string, pieces: AsyncIterable<string | Uint8Array>): Reply =>
  savedReply('application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', fileName, pieces);

const savedReply = (mediaType: string, fileName: string, pieces: AsyncIterable<string | Uint8Array>): Reply =>
  streamReply(mediaType, pieces, {
    'Content-Disposition': `attachment; filename="${fileName}"`,
    'Cache-Control': 'private, no-store',
  });

export const textReply = (text: string, headers?: Readonly<Record<string, string>>): Reply =>
  new Reply(200, { kind: 'text', text }, headers);

export const fileReply = (
  mediaType: string,
  bytes: Buffer,
  headers?: Readonly<Record<string, string>>,
): Reply => new Reply(200, { kind: 'file', bytes, mediaType }, headers);
