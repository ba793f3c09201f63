import { once } from 'node:events';
import type { Readable } from 'node:stream';
import busboy from 'busboy';
import { PreconditionError } from '../../domain/errors.ts';
import type { SentFile } from '../bind.ts';

/** A form with one file in it (RFC 7578), read while it comes: nothing of the file is kept. */
export interface SentForm {
  /** Name of the file, as the client wrote it. */
  fileName: string;
  /** Fails when the form breaks off. */
  bytes: AsyncIterable<Uint8Array>;
  /** The other fields, when the file was read to its end; fails when the form breaks off. */
  fields: () => Promise<ReadonlyMap<string, string>>;
  /** Nobody reads on. */
  stop: () => void;
}

/** Of the fields beside the file. */
const limits = { files: 1, fields: 20, fieldNameSize: 100, fieldSize: 4096, headerPairs: 20 };

/**
 * Reads a form up to its file. Throws PreconditionError (400) for what is no form, and for one without a
 * file.
 */
export async function openForm({
  mediaType,
  bytes,
}: Pick<SentFile, 'mediaType' | 'bytes'>): Promise<SentForm> {
  const parser = parserOf(mediaType);
  const fields = new Map<string, string>();
  const stopped = new AbortController();
  const {
    promise: file,
    resolve,
    reject,
  } = Promise.withResolvers<Pick<SentForm, 'fileName' | 'bytes'> | null>();
  const { promise: ended, resolve: end, reject: breakOff } = Promise.withResolvers<void>();
  ended.catch(() => {}); // whoever asks for the fields hears of it
  parser.on('field', (name, value) => void fields.set(name, value));
  parser.on('file', (_name, stream, { filename }) => {
    stream.on('error', () => {}); // whoever reads it hears of it
    resolve({ fileName: filename ?? '', bytes: unbroken(stream) });
  });
  parser.on('error', (error) => {
    reject(brokenForm(error));
    breakOff(brokenForm(error));
  });
  parser.on('close', () => {
    resolve(null);
    end();
  });
  void feed(parser, bytes, stopped.signal);
  const stop = () => {
    stopped.abort();
    parser.destroy();
  };
  const found = await file;
  if (found === null)
    throw new PreconditionError('There is no file in the form: send it as `file`', { status: 400 });
  return {
    ...found,
    fields: async () => {
      await ended;
      return fields;
    },
    stop,
  };
}

function parserOf(mediaType: string | undefined): busboy.Busboy {
  try {
    return busboy({ headers: { 'content-type': mediaType ?? '' }, limits, defParamCharset: 'utf8' });
  } catch (error) {
    throw brokenForm(error);
  }
}

const brokenForm = (cause: unknown) =>
  new PreconditionError(
    'The body has to be a form with a file in it (multipart/form-data), sent to its end',
    { status: 400, cause },
  );

/** The same bytes; what breaks them off is the client's fault. */
async function* unbroken(stream: Readable): AsyncGenerator<Uint8Array> {
  try {
    yield* stream;
  } catch (error) {
    throw brokenForm(error);
  }
}

/** Hands the body over as fast as it is taken. */
async function feed(
  parser: busboy.Busboy,
  bytes: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): Promise<void> {
  try {
    for await (const chunk of bytes) {
      if (signal.aborted) return;
      if (!parser.write(chunk)) await once(parser, 'drain', { signal });
    }
    parser.end();
  } catch (error) {
    // guarantee: upload-breaks-off-nothing
    parser.destroy(error instanceof Error ? error : new Error('The body broke off'));
  }
}
