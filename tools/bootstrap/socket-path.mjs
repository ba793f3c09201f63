import { createHash } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The longest path of a Unix socket that every system takes, in bytes. */
export const longestSocketPath = 103;

/**
 * Where a Unix socket goes: in the project's state folder, or, when that path is too long for a socket, in a
 * short folder of the system's temporary one named after the project. Answers `{ path, moved }`.
 */
export function socketPath(stateFolder, name, temporary = tmpdir()) {
  const path = join(stateFolder, name);
  if (Buffer.byteLength(path) <= longestSocketPath) return { path, moved: false };
  const short = createHash('sha256').update(stateFolder).digest('hex').slice(0, 12);
  return { path: join(temporary, `parlance-${short}`, name), moved: true };
}
