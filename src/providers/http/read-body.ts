/** What we need of a stream of bytes. */
interface AnswerBody extends AsyncIterable<Uint8Array> {
  on(event: 'error', listener: () => void): unknown;
  destroy(): unknown;
}

/**
 * The start of an answer's body, at most `maxBytes`; then the connection is dropped, however much would
 * follow. A body that breaks off or runs out of time keeps what came: the status is known already and is what
 * counts.
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
    broken = true; // what came is kept, `truncated` says the rest
  }
  const truncated = broken || bytes > maxBytes;
  return { text: new TextDecoder().decode(Buffer.concat(chunks), { stream: truncated }), truncated };
}

/** False when the body came compressed although we ask for none. */
export function isPlain(encoding: string | undefined): boolean {
  return encoding === undefined || encoding === '' || encoding.toLowerCase() === 'identity';
}

/**
 * The body as it comes, at most `maxBytes`. One that breaks off throws a TypeError, as the body of a fetch
 * does. `onEnd` is told when nothing more will be read, also when the reader leaves early.
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
  body.on('error', () => {}); // dropping an unfinished body is an error to the stream, not to us
  body.destroy();
}
