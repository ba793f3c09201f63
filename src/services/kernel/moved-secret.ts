import { validationRecord } from '../../contract/lax/records.ts';
import { ValidationError } from '../../domain/errors.ts';
import { MovedSecretError } from '../../domain/secrets/addressee.ts';

/**
 * Runs `restore`, and turns the refusal of a masked secret into the wire's record. `loc` is the place of the
 * document in the request.
 */
export function refusingMoved<T>(loc: readonly string[], restore: () => T): T {
  try {
    return restore();
  } catch (error) {
    if (!(error instanceof MovedSecretError)) throw error;
    const fault = {
      type: 'value_error',
      msg: `Value error, ${error.reason}`,
      input: null,
      ctx: { error: {} },
    };
    throw new ValidationError(error.message, {
      detail: [validationRecord(['body', ...loc, ...error.place], fault)],
      cause: error,
    });
  }
}
