import type { CallRow } from '../../../db/tables/calls.ts';
import { PreconditionError } from '../../../domain/errors.ts';

/**
 * Refuses to write data of a call after its erasure, because an activity may outlive its Workflow. Check it
 * under a lock of the call's row or of its session's row. Throws PreconditionError.
 */
export function requireKept({ transcriptErasedAt, variablesErasedAt }: CallRow): void {
  if (transcriptErasedAt !== null || variablesErasedAt !== null)
    throw new PreconditionError('The data of the call was erased');
}
