import type { CallRow } from '../../../db/tables/calls.ts';
import { PreconditionError } from '../../../domain/errors.ts';

/**
 * What a call was about is not written again once it was removed: an activity may outlive its Workflow for as
 * long as it takes. To be asked under a lock of the call's row, or of its session's. Throws
 * PreconditionError.
 */
export function requireKept({ transcriptErasedAt, variablesErasedAt }: CallRow): void {
  if (transcriptErasedAt !== null || variablesErasedAt !== null)
    throw new PreconditionError('The data of the call was erased');
}
