/** Encodes our reference as base64, as the carrier requires and returns it. */
export function encodeClientState(text: string): string {
  return Buffer.from(text, 'utf8').toString('base64');
}

/** Decodes a client state; null if it is not base64 and therefore not ours. */
export function decodeClientState(base64: string | null | undefined): string | null {
  if (base64 === null || base64 === undefined || base64 === '' || !/^[A-Za-z0-9+/]+={0,2}$/.test(base64))
    return null;
  return Buffer.from(base64, 'base64').toString('utf8');
}
