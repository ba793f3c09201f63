/**
 * A name as part of a path: small letters, digits and hyphens, at most 40; empty when nothing is left. Never
 * a path of its own.
 */
export function slug(text: string): string {
  const plain = text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
  return plain
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, 40)
    .replaceAll(/^-+|-+$/g, '');
}
