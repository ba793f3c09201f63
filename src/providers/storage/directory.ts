import { randomUUID } from 'node:crypto';
import { constants, createReadStream } from 'node:fs';
import { mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { InvariantError, UnavailableError } from '../../domain/errors.ts';
import { fileNameOf, isFileKey } from '../../domain/files/key.ts';
import { mediaTypeOf } from '../../domain/files/media-type.ts';
import type { ByteRange } from '../../domain/files/range.ts';
import type { FileFacts } from './port.ts';

/** Files below one folder, by key. What is being written lies in `.incoming` until it is whole. */
export interface FileDirectory {
  /** Writes a file, in place of an older one, or nothing: false when there are more bytes than allowed. */
  write: (key: string, bytes: AsyncIterable<Uint8Array>, mostBytes: number) => Promise<boolean>;
  facts: (key: string) => Promise<FileFacts | null>;
  read: (key: string, range?: ByteRange) => AsyncIterable<Uint8Array>;
  /** Opens a file that is there while it grows, unlike others: what was written stays, whatever becomes of the process. */
  grow: (key: string) => Promise<GrowingFile>;
  /** Removes a file; one that is not there is removed. */
  remove: (key: string) => Promise<void>;
}

export interface GrowingFile {
  /** Bytes at their place; what is left out before them is zero. */
  write: (bytes: Uint8Array, atByte: number) => Promise<void>;
  close: () => Promise<void>;
}

/** Opens a folder and makes it if need be. Throws when it cannot be written to. */
export async function openDirectory(folder: string): Promise<FileDirectory> {
  const root = resolve(folder);
  const incoming = join(root, '.incoming');
  await mkdir(incoming, { recursive: true, mode: 0o700 });
  const probe = join(incoming, randomUUID());
  await (await open(probe, 'wx')).close();
  await rm(probe);

  const pathOf = (key: string): string => {
    if (!isFileKey(key)) throw new InvariantError('A file was asked for by what is no key');
    return join(root, key);
  };

  return {
    write: async (key, bytes, mostBytes) => await write({ path: pathOf(key), temporary: join(incoming, randomUUID()), root, bytes, mostBytes }),
    async facts(key) {
      const found = await onDisk(stat(pathOf(key)).catch(nullWhenAbsent));
      return found === null ? null : { bytes: found.size, modifiedAt: new Date(found.mtimeMs), mediaType: mediaTypeOf(fileNameOf(key)) };
    },
    read: (key, range) => createReadStream(pathOf(key), range === undefined ? {} : { start: range.first, end: range.last }),
    grow: async (key) => await grow(pathOf(key)),
    remove: async (key) => await onDisk(rm(pathOf(key), { force: true })),
  };
}

async function grow(path: string): Promise<GrowingFile> {
  await onDisk(mkdir(dirname(path), { recursive: true, mode: 0o700 }));
  const file = await onDisk(open(path, constants.O_RDWR | constants.O_CREAT, 0o600));
  return {
    async write(bytes, atByte) {
      for (let written = 0; written < bytes.length; ) written += (await onDisk(file.write(bytes, written, bytes.length - written, atByte + written))).bytesWritten;
    },
    close: async () => await onDisk(file.close()),
  };
}

interface Writing {
  path: string;
  temporary: string;
  root: string;
  bytes: AsyncIterable<Uint8Array>;
  mostBytes: number;
}

/** Whole and on the disk before it has its name; a name never leads to a part of a file. */
async function write({ path, temporary, root, bytes, mostBytes }: Writing): Promise<boolean> {
  try {
    if (!(await writeNew(temporary, bytes, mostBytes))) return false;
    const made = await onDisk(mkdir(dirname(path), { recursive: true, mode: 0o700 }));
    await onDisk(rename(temporary, path));
    await onDisk(syncUpwards(dirname(path), made === undefined ? dirname(path) : root));
    return true;
  } finally {
    await rm(temporary, { force: true });
  }
}

async function writeNew(path: string, bytes: AsyncIterable<Uint8Array>, mostBytes: number): Promise<boolean> {
  const file = await onDisk(open(path, 'wx', 0o600));
  try {
    let written = 0;
    for await (const chunk of bytes) {
      written += chunk.length;
      if (written > mostBytes) return false;
      await onDisk(file.writeFile(chunk));
    }
    await onDisk(file.sync());
    return true;
  } finally {
    await file.close();
  }
}

/** A name is on the disk when its folder is, and that one's name likewise. */
async function syncUpwards(folder: string, last: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
  if (folder !== last) await syncUpwards(dirname(folder), last);
}

function nullWhenAbsent(error: unknown): null {
  if (typeof error === 'object' && error !== null && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')) return null;
  throw error;
}

/** What a file system refuses is the operator's to mend: full, read-only, gone. */
async function onDisk<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw new UnavailableError('The file storage is away or full', { dependency: 'storage', cause: error });
  }
}
