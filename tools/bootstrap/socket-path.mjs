import { createHash } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The longest path of a Unix socket that every system accepts, in bytes. */
export const maxSocketPathBytes = 103;

/**
 * The path of a Unix socket: in the project's state folder or, if that path is too long, in a short folder of
 * the system's temporary folder, named after the project. Answers `{ path, moved }`.
 */
export function socketPath(stateFolder, name, temporary = tmpdir()) {
  const path = join(stateFolder, name);
  if (Buffer.byteLength(path) <= maxSocketPathBytes) return { path, moved: false };
  const short = createHash('sha256').update(stateFolder).digest('hex').slice(0, 12);
  return { path: join(temporary, `parlance-${short}`, name), moved: true };
}
