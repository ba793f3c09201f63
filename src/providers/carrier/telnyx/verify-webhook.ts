import { createPublicKey, verify, type KeyObject } from 'node:crypto';
import type { SignedWebhook, WebhookFlaw } from '../port.ts';

export interface TelnyxWebhook extends Omit<SignedWebhook, 'credentials'> {
  /** Base64 of the account's 32-byte Ed25519 key. */
  publicKey: string;
}

/** The accepted clock difference in either direction, as in the carrier's own libraries. */
const toleranceSeconds = 300;

/** The prefix of Ed25519 keys in DER; the carrier provides only the 32 bytes after it. */
const derPrefix = Buffer.from('302a300506032b6570032100', 'hex');

/**
 * Verifies Ed25519 over `<timestamp>|<body>` (contract 12.4), with 300 s of tolerance in either direction.
 * Does not use the SDK's `webhooks.unwrap`: it returns a promise, so that a forgotten `await` would verify
 * nothing; it takes text, which differs from the signed bytes if a body is not UTF-8; and its clock cannot be
 * set.
 */
export function verifyWebhook({ raw, headers, publicKey, now }: TelnyxWebhook): WebhookFlaw | null {
  const signature = one(headers['telnyx-signature-ed25519']);
  const timestamp = one(headers['telnyx-timestamp']);
  if (signature === null || timestamp === null || !/^\d{1,12}$/.test(timestamp)) return 'no_signature';
  const key = readKey(publicKey);
  if (key === null) return 'bad_key';
  if (Math.abs(now.getTime() / 1000 - Number(timestamp)) > toleranceSeconds) return 'stale';
  return isSigned({ key, signature, timestamp, raw }) ? null : 'forged';
}

function isSigned({
  key,
  signature,
  timestamp,
  raw,
}: {
  key: KeyObject;
  signature: string;
  timestamp: string;
  raw: SignedWebhook['raw'];
}): boolean {
  const bytes = Buffer.from(signature, 'base64');
  return (
    bytes.length === 64 &&
    verify(null, Buffer.concat([Buffer.from(`${timestamp}|`, 'utf8'), raw]), key, bytes)
  );
}

/** Whether a text is a valid public key: base64 of 32 bytes. */
export function isWebhookKey(publicKey: string): boolean {
  return readKey(publicKey) !== null;
}

function readKey(publicKey: string): KeyObject | null {
  const bytes = /^[A-Za-z0-9+/]{43}=$/.test(publicKey) ? Buffer.from(publicKey, 'base64') : null;
  if (bytes?.length !== 32) return null;
  try {
    return createPublicKey({ key: Buffer.concat([derPrefix, bytes]), format: 'der', type: 'spki' });
  } catch {
    return null;
  }
}

function one(value: string | string[] | undefined): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}
