import { calls } from '../../../db/tables/calls.ts';

/**
 * The columns that lists and reports read: all but the log, which may be of any length. For queries with the
 * alias `call`.
 */
export const listedCallColumns: string[] = Object.keys(calls.options.columns)
  .filter((column) => column !== 'logs')
  .map((column) => `call.${column}`);
