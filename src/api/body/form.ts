import { once } from 'node:events';
import type { Readable } from 'node:stream';
import busboy from 'busboy';
import { PreconditionError } from '../../domain/errors.ts';
import { guarded } from '../../runtime/guarded.ts';
import type { SentFile } from '../bind.ts';

/** A form with one file (RFC 7578), read as a stream. */
export interface SentForm {
  /** Name of the file, as the client sent it. */
  fileName: string;
  /** Fails if the form is interrupted. */
  bytes: AsyncIterable<Uint8Array>;
  /** The other fields, once the file was read to its end. Fails if the form is interrupted. */
  fields: () => Promise<ReadonlyMap<string, string>>;
  /** Stops reading the form. */
  stop: () => void;
}

/** Limits of the form, besides the size of the file. */
const limits = { files: 1, fields: 20, fieldNameSize: 100, fieldSize: 4096, headerPairs: 20 };

/** Reads a form up to its file. Throws PreconditionError (400) if there is no form or no file in it. */
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
  const ended = Promise.withResolvers<void>();
  ended.promise.catch(() => {}); // `fields` reports the error
  parser.on('field', (name, value) => void fields.set(name, value));
  const open = (_name: string, stream: Readable, { filename }: busboy.FileInfo): void => {
    stream.on('error', () => {}); // the reader of `bytes` gets the error
    resolve({ fileName: filename ?? '', bytes: unbroken(stream) });
  };
  const fail = (error: unknown): void => {
    reject(brokenForm(error));
    ended.reject(brokenForm(error));
  };
  parser.on('file', guarded(open, fail));
  parser.on('error', guarded(fail, reject));
  parser.on('close', () => {
    resolve(null);
    ended.resolve();
  });
  void feed(parser, bytes, stopped.signal);
  const stop = () => {
    stopped.abort();
    parser.destroy();
  };
  const found = await file;
  if (found === null) throw new PreconditionError('The form has no file: send it as `file`', { status: 400 });
  return {
    ...found,
    fields: async () => {
      await ended.promise;
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
  new PreconditionError('The body must be a complete form with a file (multipart/form-data)', {
    status: 400,
    cause,
  });

/** The bytes of the stream. Converts an interruption to a fault of the client. */
async function* unbroken(stream: Readable): AsyncGenerator<Uint8Array> {
  try {
    yield* stream;
  } catch (error) {
    throw brokenForm(error);
  }
}

/** Writes the body to the parser, as fast as the parser takes it. */
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
    // guarantee: broken-upload-stores-nothing
    parser.destroy(error instanceof Error ? error : new Error('The body broke off'));
  }
}
