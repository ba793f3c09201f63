const shownCharacters = 4;

const secretWords = [
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
 * A secret as answers and logs show it: all characters except the last four are `*` (contract 1.1). A secret
 * of at most four characters is masked completely.
 */
export function maskSecret(secret: string): string {
  if (secret.length <= shownCharacters) return '*'.repeat(secret.length);
  return '*'.repeat(secret.length - shownCharacters) + secret.slice(-shownCharacters);
}

/** True if the name of a header suggests that it carries a secret (contract 9.2). */
export function isSecretHeader(name: string): boolean {
  const lower = name.toLowerCase();
  return secretWords.some((word) => lower.includes(word));
}
