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

export interface GraphValidation {
  is_valid: boolean;
  errors: GraphFault[];
}

/** The graph is refused; `detail` is the wire body (contract 0.3). 422 `validation`, 409 `conflict`. */
export class GraphError extends AppError {
  readonly faults: readonly GraphFault[];

  constructor(faults: readonly GraphFault[], { status }: { status: 409 | 422 }) {
    const detail = { is_valid: false, errors: [...faults] } satisfies GraphValidation;
    super(status === 409 ? 'conflict' : 'validation', faults[0]?.message ?? 'The graph is not valid', {
      status,
      detail,
    });
    this.faults = faults;
  }
}
