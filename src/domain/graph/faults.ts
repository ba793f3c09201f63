import { AppError } from '../errors.ts';

/** One fault of a graph, as in API answers (contract 2.5). */
export interface GraphFault {
  kind: 'node' | 'edge' | 'workflow';
  /** Id of the node or edge; null for the graph as a whole, or without an id. */
  id: string | null;
  /**
   * Path of the fault in the node's data (without `data.`) or in the edge (with it); null when it concerns
   * the whole node or edge.
   */
  field: string | null;
  /** Begins with the node's label if there is one. */
  message: string;
}

/** Stable names of faults, which prevent a graph from being published or stored (contract 2.7). */
export const faultCodes = [
  'list_missing',
  'element_not_object',
  'key_missing',
  'id_wrong',
  'id_repeated',
  'type_unknown',
  'value_wrong',
  'prompt_missing',
  'end_unknown',
  'start_missing',
  'too_many_nodes',
  'neighbors_wrong',
  'transition_names_equal',
  'transition_named_as_tool',
  'tool_names_equal',
  'transfer_unbound',
  'trigger_path_wrong',
  'trigger_path_repeated',
  'trigger_path_taken',
  'header_refused',
  'graph_too_large',
] as const;

export type FaultCode = (typeof faultCodes)[number];

/** What the words of a fault name, for those who say it in their own. */
export type FaultValues = Readonly<Record<string, string | number>>;

/** A fault with its stable name. */
export interface CodedFault extends GraphFault {
  code: FaultCode;
  values?: FaultValues;
}

export interface GraphValidation {
  is_valid: boolean;
  errors: GraphFault[];
}

/** The graph is refused; `detail` is the wire body (contract 0.3). 422 `validation`, 409 `conflict`. */
export class GraphError extends AppError {
  readonly faults: readonly GraphFault[];

  constructor(faults: readonly GraphFault[], { status }: { status: 409 | 422 }) {
    const detail = { is_valid: false, errors: faults.map(published) } satisfies GraphValidation;
    super(status === 409 ? 'conflict' : 'validation', faults[0]?.message ?? 'The graph is not valid', {
      status,
      detail,
    });
    this.faults = faults;
  }
}

/** A fault with the keys of the published answers (contract 2.5). */
export function published({ kind, id, field, message }: GraphFault): GraphFault {
  return { kind, id, field, message };
}
