import { createContext, useContext, useMemo } from 'react';
import { type GraphNode, labelOf, nameOf } from '../../../graph/draft.ts';
import { tokensOf } from '../../../live/text-session.ts';
import { readScript } from '../../call/script.ts';
import { useEditor } from '../session.ts';
import { type Lit, litOf } from './lit.ts';
import { type Row, rowsOf } from './rows.ts';
import { type Test, useTest } from './tester.ts';

/** What is shown of a test, in the rail and on the graph. */
export interface ShownTest {
  test: Test | null;
  rows: readonly Row[];
  /** The nodes in the order of entry. */
  path: readonly { id: string; name: string }[];
  lengthMs: number;
  lit: Lit | null;
}

const none: readonly GraphNode[] = [];

/** Reads the log of the present test. */
export function useShownTest(): ShownTest {
  const test = useTest((state) => state.test);
  const edges = useEditor(({ history }) => history.present.edges);
  const script = useMemo(
    () =>
      readScript(test?.events ?? [], {
        transitions: (test?.draft.edges ?? []).map((edge) => ({
          source: edge.source,
          target: edge.target,
          label: labelOf(edge),
        })),
      }),
    [test?.events, test?.draft],
  );
  const rows = useMemo(() => rowsOf(script, (test?.turns ?? []).map(tokensOf)), [script, test?.turns]);
  // Until its first turn is over, a phone call has only the name of its first node.
  const visited = test?.run?.gathered_context?.['nodes_visited'];
  const nodes = useEditor(({ history }) => (Array.isArray(visited) ? history.present.nodes : none));
  const path = useMemo(() => {
    const hops = rows.flatMap((row) => (row.kind === 'hop' ? [{ id: row.nodeId, name: row.node }] : []));
    if (hops.length > 0 || !Array.isArray(visited)) return hops;
    return visited.flatMap((name: unknown) =>
      nodes.filter((node) => nameOf(node) === name).map(({ id }) => ({ id, name: String(name) })),
    );
  }, [rows, visited, nodes]);
  const isOver = test?.phase === 'over' || test?.phase === 'failed';
  const lit = useMemo(
    () =>
      litOf(
        path.map(({ id }) => id),
        edges,
        isOver,
      ),
    [path, edges, isOver],
  );
  return { test, rows, path, lengthMs: script.lengthMs, lit };
}

/** What the test lights in the graph; null while there is none, or its rail is closed. */
export const LitContext = createContext<Lit | null>(null);
export const useLit = (): Lit | null => useContext(LitContext);
