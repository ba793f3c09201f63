import { matchesEdited, tagOf } from '../kernel/index.ts';

/** The fields of a workflow record that calls change and people do not edit. */
const counters: readonly string[] = ['total_runs', 'call_disposition_codes'];

const isEdited = (field: string): boolean => !counters.includes(field);

/** The entity tag of a workflow record. */
export const agentTag = (record: object): string => tagOf(record, isEdited);

/** Whether `If-Match` matches the workflow record. */
export const matchesRecord = (ifMatch: string, record: object): boolean =>
  matchesEdited(ifMatch, record, isEdited);
