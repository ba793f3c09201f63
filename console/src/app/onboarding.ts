import type { AnswerOf } from '../../../src/contract/client-types.ts';
import { call } from './api.ts';
import { get, queries } from './query.ts';
import { session } from './session.ts';

type State = AnswerOf<'get', '/user/onboarding-state'>;

export const onboarding = get('/user/onboarding-state', {});

/** Remembers who has seen the first run, also for people who may change nothing. */
const key = (): string => `parlance.welcomed.${session.get()?.user.id ?? ''}`;

/** Whether the person has neither finished nor left the first run. */
export function isNew({ completed_at: completedAt, skipped }: State): boolean {
  if (completedAt !== null || skipped) return false;
  try {
    return localStorage.getItem(key()) === null;
  } catch {
    return false;
  }
}

/** Ends the first run: the person does not land there again. */
export function endOnboarding(how: { skipped: true } | { completed_at: string }): void {
  try {
    localStorage.setItem(key(), 'yes');
  } catch {
    // The service remembers it.
  }
  void call('put', '/user/onboarding-state', { body: how, outlivesPage: true }).then(
    ({ body }) => queries.setQueryData(onboarding.queryKey, body),
    () => undefined, // this browser remembers it
  );
}
