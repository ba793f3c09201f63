import type { Scope } from '../../contract/scopes.ts';

/**
 * Whether a key with these scopes may do what needs `needed`; null = a key, or a signed-in user, without
 * limits. Words that are no scope permit nothing.
 */
export function permits(granted: readonly string[] | null, needed: Scope): boolean {
  return granted === null || granted.includes('admin') || granted.includes(needed);
}
