const shownCharacters = 4;

const tellingWords = ['auth', 'token', 'secret', 'password', 'passwd', 'cookie', 'credential', 'api-key', 'apikey', 'api_key', 'access-key'];

/** A secret as answers and logs show it: every character but the last four is `*` (contract 1.1); a shorter one shows nothing. */
export function maskSecret(secret: string): string {
  if (secret.length <= shownCharacters) return '*'.repeat(secret.length);
  return '*'.repeat(secret.length - shownCharacters) + secret.slice(-shownCharacters);
}

/** True when a header of that name carries a secret by the look of it (contract 9.2). */
export function isSecretHeader(name: string): boolean {
  const lower = name.toLowerCase();
  return tellingWords.some((word) => lower.includes(word));
}

/** Headers as answers and logs show them. */
export function maskHeaders<Header extends { key: string; value: string }>(headers: readonly Header[]): Header[] {
  return headers.map((header) => (isSecretHeader(header.key) ? { ...header, value: maskSecret(header.value) } : header));
}

/** Names that steer the connection or are the service's own; a webhook node cannot set them (contract 9.2). */
const refusedHeaders: ReadonlySet<string> = new Set([
  'connection', 'content-length', 'expect', 'host', 'keep-alive', 'proxy-authenticate', 'proxy-authorization', 'proxy-connection', 'te', 'trailer', 'transfer-encoding', 'upgrade',
]);

export function isRefusedHeader(name: string): boolean {
  const lower = name.trim().toLowerCase();
  return refusedHeaders.has(lower) || lower.startsWith('webhook-');
}
