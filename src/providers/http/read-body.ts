/** The part of a byte stream that we need. */
interface AnswerBody extends AsyncIterable<Uint8Array> {
  on(event: 'error', listener: () => void): unknown;
  destroy(): unknown;
}

/**
 * Reads the start of an answer's body, at most `maxBytes`, and then drops the connection. If the body breaks
 * off or times out, this answers what it has read, because the status is known and matters more.
 */
export async function readBody({
  body,
  encoding,
  maxBytes,
}: {
  body: AnswerBody;
  encoding: string | undefined;
  maxBytes: number;
}): Promise<{ text: string; truncated: boolean }> {
  if (!isPlain(encoding)) {
    drop(body);
    return { text: '', truncated: true };
  }
  const chunks: Buffer[] = [];
  let bytes = 0;
  let broken = false;
  try {
    for await (const chunk of body) {
      const part = Buffer.from(chunk);
      chunks.push(part.subarray(0, maxBytes - bytes));
      bytes += part.length;
      if (bytes > maxBytes) break;
    }
  } catch {
    broken = true; // keeps the read bytes; `truncated` reports the loss
  }
  const truncated = broken || bytes > maxBytes;
  return { text: new TextDecoder().decode(Buffer.concat(chunks), { stream: truncated }), truncated };
}

/** False for a compressed body, although our requests accept none. */
export function isPlain(encoding: string | undefined): boolean {
  return encoding === undefined || encoding === '' || encoding.toLowerCase() === 'identity';
}

/**
 * Streams the body, at most `maxBytes`. Throws a TypeError if the body breaks off, as the body of a fetch
 * does. Calls `onEnd` at the end, even if the reader stops early.
 */
export async function* streamBody({
  body,
  maxBytes,
  onEnd,
}: {
  body: AnswerBody;
  maxBytes: number;
  onEnd: () => void;
}): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  try {
    for await (const chunk of body) {
      yield Buffer.from(chunk).subarray(0, maxBytes - bytes);
      bytes += chunk.byteLength;
      if (bytes >= maxBytes) return;
    }
  } catch (cause) {
    throw new TypeError('The answer broke off', { cause });
  } finally {
    onEnd();
    drop(body);
  }
}

function drop(body: AnswerBody): void {
  body.on('error', () => {}); // the stream reports an error when an unfinished body is dropped
  body.destroy();
}
