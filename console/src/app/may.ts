import { useQuery } from '@tanstack/react-query';
import { useEffect, useSyncExternalStore } from 'react';
import type { Scope } from '../../../src/contract/data/scopes.ts';
import { get, queries } from './query.ts';
import { askEveryMs } from './session-poll.ts';
import { session } from './session.ts';
import { t } from './words.ts';

/** Whether the signed-in person has the scope. What is offered depends on this alone, never on a role's name. */
export const may = (scope: Scope): boolean => session.get()?.user.scopes?.includes(scope) ?? false;

/** The scope as words in a file of words. */
export const idOfScope = (scope: string): string => scope.replace(':', '_');

/** The name of the person's role. */
export function ownRole(): string {
  const role = session.get()?.user.role;
  return role == null ? '' : t(`people.role.${role}`);
}

/** Why something that needs the scope is not offered. Undefined if it is. */
export const whyNot = (scope: Scope | undefined): string | undefined =>
  scope === undefined || may(scope)
    ? undefined
    : t('may.not', { role: ownRole(), what: t(`may.${idOfScope(scope)}`) });

/** Draws again what depends on `may` when the person's scopes change. */
export function useMay(): typeof may {
  useSyncExternalStore(session.subscribe, () => session.get()?.user.scopes?.join() ?? '');
  return may;
}

/**
 * Keeps what the page knows of its person current. A session that has ended, because the person was removed for
 * example, is noticed within five seconds, also on a page that asks for nothing else.
 */
export function useCurrentPerson(): void {
  const { data } = useQuery({ ...get('/auth/me', {}), refetchInterval: askEveryMs, staleTime: 0 });
  useEffect(() => {
    const known = session.get();
    if (data === undefined || known === null || JSON.stringify(known.user) === JSON.stringify(data)) return;
    if (known.user.id !== data.id) return; // of the session before
    session.set({ ...known, user: data });
    if (known.user.scopes?.join() !== data.scopes.join()) void queries.invalidateQueries();
  }, [data]);
}
