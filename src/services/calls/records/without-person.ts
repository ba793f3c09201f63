import { maskedLeaves, maskText } from '../../../contract/personal.ts';
import type { CallRow } from '../../../db/tables/calls.ts';
import { isObject } from '../../../domain/graph/definition.ts';
import { may, type ServiceContext } from '../../kernel/index.ts';

/**
 * The call as a file shows it to the caller. Without the scope `people:read`, numbers and values are masked, and
 * there is no link to words. Answers in JSON are masked by their schema (`src/contract/personal.ts`).
 */
export function asShownTo({ actor }: Pick<ServiceContext, 'actor'>, call: CallRow): CallRow {
  // guarantee: files-are-masked
  if (may(actor, 'people:read')) return call;
  const masked = (values: CallRow['initialContext']) => {
    const leaves = maskedLeaves(values);
    return isObject(leaves) ? leaves : {};
  };
  const number = (known: string | null) => (known === null ? null : maskText);
  return {
    ...call,
    initialContext: masked(call.initialContext),
    gatheredContext: masked(call.gatheredContext),
    callerNumber: number(call.callerNumber),
    calledNumber: number(call.calledNumber),
    publicToken: null,
  };
}
