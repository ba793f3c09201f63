import { createHash } from 'node:crypto';
import type { StoredFile } from '../../../providers/contact-files/port.ts';

export async function hashFile(file: StoredFile): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of file.read()) hash.update(chunk);
  return hash.digest('hex');
}

/** A stored file that hashes itself while it is read. */
export interface HashedFile extends StoredFile {
  /**
   * SHA-256 of each complete reading. For a file that is read only in parts, such as a workbook, the hash of
   * one complete reading made now.
   */
  hashes: () => Promise<ReadonlySet<string>>;
}

/** `tell` receives the number of bytes that were read. */
export function hashedFile(file: StoredFile, tell: (bytes: number) => void): HashedFile {
  const found = new Set<string>();
  return {
    bytes: file.bytes,
    async *read(range) {
      const hash = range === undefined ? createHash('sha256') : null;
      let count = 0;
      for await (const chunk of file.read(range)) {
        hash?.update(chunk);
        count += chunk.length;
        tell(count);
        yield chunk;
      }
      if (hash !== null) found.add(hash.digest('hex'));
    },
    async hashes() {
      if (found.size === 0) found.add(await hashFile(file));
      return found;
    },
  };
}
