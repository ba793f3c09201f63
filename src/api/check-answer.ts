import { isDeepStrictEqual } from 'node:util';
import { answersOf } from '../contract/answers.ts';
import type { Route } from '../contract/route.ts';
import { InvariantError } from '../domain/errors.ts';
import type { Reply } from './reply.ts';

/**
 * Holds an answer against the table: its status is declared, its body has no other keys and types. Throws
 * InvariantError.
 */
export function checkAnswer(route: Route, { status, content }: Reply): void {
  const answer = answersOf(route)[status];
  if (answer === undefined)
    throw new InvariantError(
      `${route.id} answers ${status}, which src/contract does not declare among its answers`,
    );
  if (answer.schema === undefined || content.kind !== 'json') return;
  const onTheWire: unknown = JSON.parse(JSON.stringify(content.value));
  const parsed = answer.schema.safeParse(onTheWire);
  if (!parsed.success)
    throw new InvariantError(`${route.id} answers against its schema: ${parsed.error.message}`);
  if (!isDeepStrictEqual(parsed.data, onTheWire))
    throw new InvariantError(`${route.id} answers keys that its schema does not have`);
}
