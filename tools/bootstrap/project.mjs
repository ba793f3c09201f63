import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The project folder. The bootstrap works on this project from any working directory. */
export const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');

/** A path below `.parlance/`, the folder of everything that is provisioned or made at run time. */
export function statePath(...parts) {
  return join(root, '.parlance', ...parts);
}

/** Creates a folder with its parents and answers its path. */
export function folder(path) {
  mkdirSync(path, { recursive: true });
  return path;
}
