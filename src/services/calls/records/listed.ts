import { calls } from '../../../db/tables/calls.ts';

/**
 * What lists and reports read of a call: everything but its log, which may be of any length. For queries that
 * call it `call`.
 */
export const listedCallColumns: string[] = Object.keys(calls.options.columns)
  .filter((column) => column !== 'logs')
  .map((column) => `call.${column}`);
