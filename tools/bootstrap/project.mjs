import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The project folder: whatever the working directory is, the bootstrap works on this project. */
export const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');

/** A path below `.parlance/`, where everything lives that is provisioned or made at run time. */
export function statePath(...parts) {
  return join(root, '.parlance', ...parts);
}

/** Makes a folder (and its parents) and answers its path. */
export function folder(path) {
  mkdirSync(path, { recursive: true });
  return path;
}
