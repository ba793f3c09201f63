import type { Scope } from '../../contract/scopes.ts';

/**
 * Whether the granted scopes include `needed`. Null stands for a key, or a signed-in user, without limits.
 * Unknown scopes permit nothing.
 */
export function permits(granted: readonly string[] | null, needed: Scope): boolean {
  return granted === null || granted.includes('admin') || granted.includes(needed);
}
