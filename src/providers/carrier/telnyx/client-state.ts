/** The carrier takes our reference as base64 and gives it back so. */
export function encodeClientState(text: string): string {
  return Buffer.from(text, 'utf8').toString('base64');
}

/** Null for what is no base64: not a reference of ours. */
export function decodeClientState(base64: string | null | undefined): string | null {
  if (base64 === null || base64 === undefined || base64 === '' || !/^[A-Za-z0-9+/]+={0,2}$/.test(base64))
    return null;
  return Buffer.from(base64, 'base64').toString('utf8');
}
