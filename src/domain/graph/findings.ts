import type { ExtractionVariable } from './extraction-variables.ts';
import type { FaultCode, FaultValues, GraphFault } from './faults.ts';

/** Stable names of warnings (contract 2.7). */
export const warningCodes = [
  'dead_end',
  'unreachable',
  'no_end_ahead',
  'transitions_alike',
  'webhook_without_address',
  'tool_not_offered',
  'default_missing',
  'variable_unknown',
  'prompt_long',
  'disclosure_missing',
  'opt_out_missing',
] as const;

export type WarningCode = (typeof warningCodes)[number];

/** What a fix changes, for a program. */
export type Edit =
  /** Replaces a part of the field's text. */
  | { op: 'replace_text'; start: number; end: number; text: string }
  /** Adds an edge out of the node. */
  | { op: 'add_edge' }
  /** Lets the nodes of these ids extract a variable too. */
  | { op: 'add_variable'; ids: readonly string[]; variable: ExtractionVariable }
  | { op: 'remove_node' };

export interface Fix {
  label: string;
  edit: Edit;
}

export interface Warning extends GraphFault {
  code: WarningCode;
  values?: FaultValues;
  /** The part of the field's text, in UTF-16 units. */
  range?: { start: number; end: number };
  fix?: Fix;
}

/** What an editor shows: an error prevents publishing, a warning does not. */
export interface Finding extends GraphFault {
  code: FaultCode | WarningCode;
  severity: 'error' | 'warning';
  values?: FaultValues;
  range?: { start: number; end: number };
  fix?: Fix;
}
