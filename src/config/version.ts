import { readFileSync } from 'node:fs';

/** Reads the version of this release from package.json. */
export function readVersion(): string {
  const { version }: { version: string } = JSON.parse(
    readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
  );
  return version;
}
