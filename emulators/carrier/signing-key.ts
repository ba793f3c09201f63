import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  sign,
  type KeyObject,
} from 'node:crypto';

/** The DER prefix of Ed25519 private keys; the 32 bytes of the key follow. */
const derPrefix = Buffer.from('302e020100300506032b657004220420', 'hex');

export interface SigningKey {
  /** Base64 of the 32 bytes, as the carrier's portal shows it. */
  publicKey: string;
  /** Base64 of the signature over `<timestamp>|<body>`. */
  sign(timestamp: string, body: string): string;
}

/** A new key, or the one derived from a text, so that a stored public key stays valid across restarts. */
export function createSigningKey(seed?: string): SigningKey {
  const privateKey = seed === undefined ? generateKeyPairSync('ed25519').privateKey : keyFrom(seed);
  const der = createPublicKey(privateKey).export({ format: 'der', type: 'spki' });
  return {
    publicKey: der.subarray(-32).toString('base64'),
    sign: (timestamp, body) =>
      sign(null, Buffer.from(`${timestamp}|${body}`, 'utf8'), privateKey).toString('base64'),
  };
}

function keyFrom(seed: string): KeyObject {
  const bytes = createHash('sha256').update(seed).digest();
  return createPrivateKey({ key: Buffer.concat([derPrefix, bytes]), format: 'der', type: 'pkcs8' });
}
