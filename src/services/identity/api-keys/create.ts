import type { CreateApiKeyRequest, NewApiKey } from '../../../contract/api-keys.ts';
import { validationRecord } from '../../../contract/lax/records.ts';
import { ValidationError } from '../../../domain/errors.ts';
import { actingUserId, type ServiceContext, once, write } from '../../kernel/index.ts';
import { insertKey } from './insert.ts';
import { discardUnseenKey, requireOwnScopes } from './internal.ts';
import { toNewApiKey } from './mapper.ts';

/**
 * Creates an API key that acts for the caller (contract 13.1). Throws ValidationError for an `expires_at`
 * that is not in the future, and ForbiddenError for scopes that the caller lacks.
 */
export async function createKey({
  ctx,
  input,
}: {
  ctx: ServiceContext;
  input: CreateApiKeyRequest;
}): Promise<NewApiKey> {
  const expiresAt = readExpiry(input.expires_at ?? null, ctx.clock.now());
  const scopes = input.scopes === null || input.scopes === undefined ? null : [...new Set(input.scopes)];
  requireOwnScopes(ctx, scopes);
  return await write(ctx, async (tx) => {
    const make = async () => {
      const { row, key } = await insertKey(tx, {
        ctx,
        input: { name: input.name, userId: actingUserId(ctx), scopes, expiresAt },
      });
      return { id: row.id, answer: toNewApiKey(row, key) };
    };
    return await once(tx, { kind: 'api_key', make, again: (id) => discardUnseenKey(tx, ctx, id) });
  });
}

function readExpiry(text: string | null, now: Date): Date | null {
  if (text === null) return null;
  const timestamp = new Date(text);
  if (timestamp > now) return timestamp;
  const record = validationRecord(['body', 'expires_at'], {
    type: 'value_error',
    msg: 'Value error, the timestamp is not in the future',
    input: text,
    ctx: { error: {} },
  });
  throw new ValidationError('The request is not valid', { detail: [record] });
}
