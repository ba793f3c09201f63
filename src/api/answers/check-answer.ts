import { isDeepStrictEqual } from 'node:util';
import { answersOf } from '../../contract/answers.ts';
import type { Route } from '../../contract/route.ts';
import { InvariantError } from '../../domain/errors.ts';
import type { Reply } from './reply.ts';

/**
 * Checks an answer against the route table: its status is declared, and its body matches the schema without
 * further keys. Throws InvariantError.
 */
export function checkAnswer(route: Route, { status, content }: Reply): void {
  const answer = answersOf(route)[status];
  if (answer === undefined)
    throw new InvariantError(`${route.id} answers ${status}, which src/contract does not declare`);
  if (answer.schema === undefined || content.kind !== 'json') return;
  const onTheWire: unknown = JSON.parse(JSON.stringify(content.value));
  const parsed = answer.schema.safeParse(onTheWire);
  if (!parsed.success)
    throw new InvariantError(`the answer of ${route.id} does not match its schema: ${parsed.error.message}`);
  if (!isDeepStrictEqual(parsed.data, onTheWire))
    throw new InvariantError(`the answer of ${route.id} has keys that its schema does not have`);
}
