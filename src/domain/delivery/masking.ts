const shownCharacters = 4;

const tellingWords = [
  'auth',
  'token',
  'secret',
  'password',
  'passwd',
  'cookie',
  'credential',
  'api-key',
  'apikey',
  'api_key',
  'access-key',
];

/**
 * A secret as answers and logs show it: every character but the last four is `*` (contract 1.1); a shorter
 * one shows nothing.
 */
export function maskSecret(secret: string): string {
  if (secret.length <= shownCharacters) return '*'.repeat(secret.length);
  return '*'.repeat(secret.length - shownCharacters) + secret.slice(-shownCharacters);
}

/** True when a header of that name carries a secret by the look of it (contract 9.2). */
export function isSecretHeader(name: string): boolean {
  const lower = name.toLowerCase();
  return tellingWords.some((word) => lower.includes(word));
}
