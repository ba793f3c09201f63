import { readFileSync } from 'node:fs';

/** The version of this release, as package.json has it. */
export function readVersion(): string {
  const { version }: { version: string } = JSON.parse(
    readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
  );
  return version;
}
