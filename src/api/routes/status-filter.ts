import { ValidationError } from '../../domain/errors.ts';

const states = ['active', 'archived'] as const;
type State = (typeof states)[number];

/** `active`, `archived` or both. Absent means both. Throws a text 422 for anything else (contract 1.4). */
export function statesOf(filter: string | undefined): State[] {
  if (filter === undefined) return [...states];
  const asked = filter.split(',').map((each) => each.trim());
  const known = states.filter((state) => asked.includes(state));
  const offenders = asked.filter((each) => !states.some((state) => state === each));
  if (offenders.length === 0) return known;
  throw new ValidationError(
    `Invalid status: ${offenders.map((each) => `'${each}'`).join(', ')}. Allowed: ${states.join(', ')}`,
  );
}
