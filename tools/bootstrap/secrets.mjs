import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { folder } from './project.mjs';

/** Reads a secret from a file with mode 600, and creates it on first use. */
export function keptSecret(file, make) {
  if (!existsSync(file)) {
    folder(dirname(file));
    writeFileSync(file, `${make()}\n`, { mode: 0o600 });
  }
  chmodSync(file, 0o600);
  return readFileSync(file, 'utf8').trim();
}

/** A password that needs no escaping in URLs or SQL. */
export function randomPassword() {
  return randomBytes(18).toString('hex');
}

/** A fresh key ring for PARLANCE_ENCRYPTION_KEYS: one key of 32 bytes. */
export function randomKeyRing() {
  return `dev1:${randomBytes(32).toString('base64')}`;
}
