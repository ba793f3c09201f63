import { AppError } from '../errors.ts';

/** One fault of a graph, in the words of the wire (contract 2.5). */
export interface GraphFault {
  kind: 'node' | 'edge' | 'workflow';
  /** Of the node or the edge; null for the graph as a whole or where there is none. */
  id: string | null;
  /**
   * Where in the node's data (without `data.`) or in the edge (with it) the fault is; null when it is the
   * whole thing.
   */
  field: string | null;
  /** Begins with the node's label where there is one. */
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
    super(status === 409 ? 'conflict' : 'validation', faults[0]?.message ?? 'The graph is refused', {
      status,
      detail,
    });
    this.faults = faults;
  }
}
