import type { NodeSpec } from '../../../../src/contract/node-types.ts';
import { copyText, freshId } from '../../app/insecure.ts';
import { may } from '../../app/may.ts';
import { t } from '../../app/words.ts';
import { toast } from '../../parts/toast.tsx';
import { nameOf, nodeSize, type Point } from '../../graph/draft.ts';
import {
  addNode,
  clippingOf,
  connect,
  insertOnEdge,
  linedUp,
  moveNodes,
  paste,
  readClipping,
  remove,
  reorder,
  titleOf,
} from '../../graph/edit.ts';
import { outlineOf } from '../../graph/order.ts';
import type { Asked, EditorSession } from './session.ts';

/** What a person does to the graph; the canvas and the outline share it. */

/** Adds a node where it was asked for: at a place, behind a node, or on a transition. */
export function addAsked(session: EditorSession, asked: Asked & { for: 'node' }, spec: NodeSpec): void {
  const id = freshId();
  const draft = session.draft();
  const isStep = !session.isBeside(spec.name);
  const edge = draft.edges.find((each) => each.id === asked.onEdge);
  const after = draft.nodes.find((each) => each.id === (asked.after ?? edge?.source));
  const at = asked.at ?? freePlace(session, after?.position);
  const node = { id, spec, at };
  const canFollow = isStep && spec.graph_constraints?.max_incoming !== 0;
  if (edge !== undefined && canFollow && spec.graph_constraints?.max_outgoing !== 0)
    session.change((old) => insertOnEdge(old, { edgeId: edge.id, node, newEdgeId: freshId() }), {
      name: t('editor.did.add', { name: spec.display_name }),
    });
  else
    session.change(
      (old) => {
        const added = addNode(old, node);
        return after !== undefined && canFollow
          ? connect(added, { id: freshId(), source: after.id, target: id })
          : added;
      },
      { name: t('editor.did.add', { name: spec.display_name }) },
    );
  session.select([id], 'name');
}

/** Below the given place or the lowest node, where nothing stands. */
function freePlace(session: EditorSession, near: Point | undefined): Point {
  const draft = session.draft();
  const { flow } = outlineOf(draft, session.isBeside);
  const lowest = flow.reduce<Point | undefined>(
    (low, { node }) => (low === undefined || node.position.y > low.y ? node.position : low),
    undefined,
  );
  const start = near ?? lowest;
  if (start === undefined) return { x: 0, y: 0 };
  const place = { x: start.x, y: start.y + nodeSize.height + 60 };
  const isTaken = () =>
    flow.some(
      ({ node: { position } }) =>
        Math.abs(position.x - place.x) < nodeSize.width + 20 &&
        Math.abs(position.y - place.y) < nodeSize.height + 20,
    );
  while (isTaken()) place.x += nodeSize.width + 80;
  return place;
}

/** Makes a transition and opens it, so that it gets its label. */
export function connectNodes(session: EditorSession, source: string, target: string): void {
  const id = freshId();
  const draft = session.draft();
  session.change((old) => connect(old, { id, source, target }), {
    name: t('editor.did.connect', { from: titleOf(draft, source), to: titleOf(draft, target) }),
  });
  session.select([id], 'label');
}

/** Whether a transition may lead from one node to the other, by the limits of their types. */
export function canConnect(session: EditorSession, source: string, target: string): boolean {
  const [from, to] = [source, target].map((id) => {
    const node = session.draft().nodes.find((each) => each.id === id);
    return node === undefined ? undefined : session.specOf(node.type);
  });
  return from?.graph_constraints?.max_outgoing !== 0 && to?.graph_constraints?.max_incoming !== 0;
}

export function removeElements(session: EditorSession, ids: readonly string[]): void {
  const [first] = ids;
  if (first === undefined || !may('agents:write')) return;
  const name =
    ids.length === 1
      ? t('editor.did.remove', { name: titleOf(session.draft(), first) })
      : t('editor.did.removeMany', { count: ids.length });
  const { flow } = outlineOf(session.draft(), session.isBeside);
  const index = flow.findIndex(({ node }) => ids.includes(node.id));
  const source = session.draft().edges.find(({ id }) => id === first)?.source;
  session.change((draft) => remove(draft, ids), { name });
  // Selects the neighbor of the deleted element, so that keyboard users keep their place.
  const next = source ?? flow[Math.max(0, index - 1)]?.node.id;
  const isOnPhone = matchMedia('(max-width: 639px)').matches;
  session.select(
    !isOnPhone && next !== undefined && session.draft().nodes.some(({ id }) => id === next) ? [next] : [],
  );
  toast(name, session.undo);
}

export function duplicate(session: EditorSession, ids: readonly string[]): void {
  pasteText(session, JSON.stringify(clippingOf(session.draft(), ids)));
}

export async function copyNodes(session: EditorSession, ids: readonly string[]): Promise<void> {
  const clipping = clippingOf(session.draft(), ids);
  if (clipping.nodes.length === 0) return;
  await copyText(JSON.stringify(clipping, null, 2));
  toast(t('editor.copied', { count: clipping.nodes.length }));
}

/** Pastes nodes, also from another tab or from JSON text. Any other text is ignored. */
export function pasteText(session: EditorSession, text: string): void {
  const clipping = readClipping(text);
  if (clipping === null) return;
  const pasted = paste(session.draft(), clipping, freshId);
  session.change(() => pasted.draft, { name: t('editor.did.paste', { count: pasted.ids.length }) });
  session.select(pasted.ids);
}

/** Tidy places for all nodes. What works them out loads when it is needed first. */
export async function tidyPlaces(session: EditorSession): Promise<Map<string, Point>> {
  const { tidy } = await import('../../graph/layout.ts');
  const draft = session.draft();
  return tidy(
    draft,
    outlineOf(draft, session.isBeside).flow.map(({ node }) => node.id),
  );
}

export function lineUp(session: EditorSession, ids: readonly string[], as: 'row' | 'column'): void {
  const steps = ids.filter((id) => {
    const node = session.draft().nodes.find((each) => each.id === id);
    return node !== undefined && !session.isBeside(node.type);
  });
  session.change((draft) => moveNodes(draft, linedUp(draft, steps, as)), {
    name: t('editor.did.lineUp', { count: steps.length }),
  });
}

export function moveWay(session: EditorSession, id: string, by: -1 | 1): void {
  session.change((draft) => reorder(draft, id, by), { name: t('editor.did.reorder') });
}

/** The name of a node as the editor shows it. */
export function shownName(session: EditorSession, id: string): string {
  const node = session.draft().nodes.find((each) => each.id === id);
  return node === undefined ? id : nameOf(node, session.specOf(node.type)?.display_name);
}
