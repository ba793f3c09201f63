import { scopes, type Scope } from '../../contract/data/scopes.ts';

/** Scopes of a key or role. Null stands for a key without limits. */
export type Granted = readonly string[] | null;

/** Whether the granted scopes include `needed`. Unknown scopes permit nothing. */
export function permits(granted: Granted, needed: Scope): boolean {
  return granted === null || granted.includes('admin') || granted.includes(needed);
}

/** The scopes that the granted ones permit, each by its name. */
export const permittedScopes = (granted: Granted): Scope[] =>
  scopes.filter((scope) => permits(granted, scope));

/** The scopes of `wanted` that the granted ones do not permit. Wanting everything needs `admin`. */
export const scopesBeyond = (granted: Granted, wanted: Granted): Scope[] =>
  permittedScopes(wanted).filter((scope) => !permits(granted, scope));
