import { ArrowRight, ChevronRight, TriangleAlert } from 'lucide-react';
import { type KeyboardEvent, memo, useState, useSyncExternalStore } from 'react';
import { Button as AriaButton, type Selection, Tree, TreeItem, TreeItemContent } from 'react-aria-components';
import { ownList, ownText, isObject } from '../../../../src/domain/graph/definition.ts';
import type { NodeSpec } from '../../../../src/contract/node-types.ts';
import { t } from '../../app/words.ts';
import { type GraphEdge, type GraphNode, labelOf, nameOf, sameJson } from '../../graph/draft.ts';
import type { OutlineEntry } from '../../graph/order.ts';
import { Tag } from '../../parts/badge.tsx';
import { moveWay, removeElements, shownName } from './actions.ts';
import { EmptyGraph } from './empty-graph.tsx';
import { Glyph } from './kinds.tsx';
import { Visits, WithVariables, wordsOf } from './node-card.tsx';
import { useLit } from './rail/shown.ts';
import { useEditor, useOutline, useSession } from './session.ts';

const narrow = matchMedia('(max-width: 639px)');
export const useIsPhone = (): boolean =>
  useSyncExternalStore(
    (listener) => {
      narrow.addEventListener('change', listener);
      return () => narrow.removeEventListener('change', listener);
    },
    () => narrow.matches,
  );

const headingId = 'beside the flow';

/**
 * The graph as a tree in reading order: everything that the canvas can do, by keyboard. Transitions are
 * children of their node.
 */
export function OutlineView() {
  const session = useSession();
  const { flow, beside } = useOutline();
  const selected = useEditor((state) => state.selected);
  const isPhone = useIsPhone();
  const isWay = (id: string) => session.draft().edges.some((edge) => edge.id === id);
  // The tree's own set knows where a range began.
  const [chosen, setChosen] = useState<Selection>(new Set());
  const isOwn = chosen !== 'all' && sameJson([...chosen], selected);
  const choose = (keys: Selection) => {
    const all = [...flow.map(({ node }) => node), ...beside].map(({ id }) => id);
    const next = keys === 'all' ? new Set(all) : nodesAlone(keys, isWay);
    setChosen(next);
    session.select([...next].map(String));
  };

  const onKey = (event: KeyboardEvent<HTMLElement>) => {
    const row = event.target instanceof HTMLElement ? event.target.closest<HTMLElement>('[data-key]') : null;
    const id = row?.dataset['key'];
    if (id === undefined || id === headingId || event.ctrlKey || event.metaKey) return;
    const several = selected.length > 1 && selected.includes(id) ? selected : [id];
    const source = isWay(id) ? (session.draft().edges.find((edge) => edge.id === id)?.source ?? id) : id;
    const run = {
      c: () => session.ask({ for: 'target', source }),
      i: () => session.ask(isWay(id) ? { for: 'node', onEdge: id } : { for: 'node', after: id }),
      a: () => session.ask({ for: 'node' }),
      Delete: () => removeElements(session, several),
      Backspace: () => removeElements(session, several),
      'Alt+ArrowUp': () => moveWay(session, id, -1),
      'Alt+ArrowDown': () => moveWay(session, id, 1),
    }[`${event.altKey ? 'Alt+' : ''}${event.key}`];
    if (run === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    run();
  };
  const edit = (id: string) => id !== headingId && session.select([id], isWay(id) ? 'label' : 'name');

  return (
    <section className="out" aria-label={t('editor.outline')} onKeyDownCapture={onKey}>
      {flow.length + beside.length === 0 ? (
        <EmptyGraph />
      ) : (
        <>
          <Tree
            aria-label={t('editor.outlineLabel')}
            selectionMode={isPhone ? 'none' : 'multiple'}
            selectionBehavior="replace"
            selectedKeys={isOwn ? chosen : selected}
            onSelectionChange={choose}
            onAction={(key) => edit(String(key))}
            defaultExpandedKeys={flow.map(({ node }) => node.id)}
            className="outline-none"
          >
            {flow.map((entry) => (
              <NodeRow key={entry.node.id} {...entry} />
            ))}
            {beside.length > 0 && (
              <TreeItem id={headingId} textValue={t('editor.beside')} isDisabled className="beside-head">
                <TreeItemContent>
                  <span className="caps">{t('editor.beside')}</span>
                </TreeItemContent>
              </TreeItem>
            )}
            {beside.map((node) => (
              <NodeRow key={node.id} node={node} ways={none} isUnreachable={false} />
            ))}
          </Tree>
          <p className="keys">{t('editor.outlineKeys')}</p>
        </>
      )}
    </section>
  );
}

/** Several elements are nodes: transitions go with theirs. It stays the tree's own set. */
function nodesAlone<Id extends string | number>(keys: Set<Id>, isWay: (id: string) => boolean): Set<Id> {
  const all = [...keys];
  const nodes = all.filter((key) => !isWay(String(key)));
  const kept = new Set(nodes.length > 0 ? nodes : all.slice(-1));
  if (all.length > 1) for (const key of all) if (!kept.has(key)) keys.delete(key);
  return keys;
}

/** What stands below the name: what is said, or what the node is. */
function Summary({ node, spec }: { node: GraphNode; spec: NodeSpec | undefined }) {
  const values = node.data['extraction_enabled'] === true ? ownList(node.data, 'extraction_variables') : [];
  const names = values.filter(isObject).flatMap((each) => ownText(each, 'name') ?? []);
  const words = wordsOf(node, spec);
  if (names.length > 0) return t('editor.extracts', { names: names.join(', ') });
  return words === '' ? (spec?.display_name ?? node.type) : <WithVariables text={words} />;
}

const none: readonly GraphEdge[] = [];

/** A key that somebody types changes the outline, but only the row of the node that it is typed into. */
const isSameRow = (one: OutlineEntry, other: OutlineEntry): boolean =>
  one.node === other.node &&
  one.isUnreachable === other.isUnreachable &&
  one.ways.length === other.ways.length &&
  one.ways.every((edge, index) => edge === other.ways[index]);

const NodeRow = memo(({ node, ways, isUnreachable }: OutlineEntry) => {
  const { specOf } = useSession();
  const spec = specOf(node.type);
  const name = nameOf(node, spec?.display_name);
  const lit = useLit();
  const visits = lit?.visits.get(node.id);
  return (
    <TreeItem
      id={node.id}
      textValue={
        visits === undefined
          ? name
          : `${name}, ${t('rail.visited', { count: visits.length, numbers: visits.join(', ') })}`
      }
      className="out-node"
    >
      <TreeItemContent>
        {({ hasChildItems }) => (
          <div className="out-row">
            {hasChildItems ? (
              <AriaButton slot="chevron" className="chevron">
                <ChevronRight className="i" aria-hidden />
              </AriaButton>
            ) : (
              <span className="chevron" />
            )}
            {visits !== undefined && <Visits numbers={visits} />}
            <Glyph spec={spec} type={node.type} />
            <span className="grow">
              <b className="cut block">{name}</b>
              <span className="small cut block">
                <Summary node={node} spec={spec} />
              </span>
            </span>
            {lit?.now === node.id && <Tag is="agent">{t('rail.speaks')}</Tag>}
            {isUnreachable && ways.length > 0 && <span className="badge">{t('editor.unreachable')}</span>}
            <Problems of={node.id} />
          </div>
        )}
      </TreeItemContent>
      {ways.map((edge) => (
        <WayRow key={edge.id} edge={edge} />
      ))}
    </TreeItem>
  );
}, isSameRow);
NodeRow.displayName = 'NodeRow';

function WayRow({ edge }: { edge: GraphEdge }) {
  const session = useSession();
  const label = labelOf(edge) === '' ? t('editor.noLabel') : labelOf(edge);
  const target = useEditor(() => shownName(session, edge.target));
  return (
    <TreeItem id={edge.id} textValue={t('editor.wayTo', { label, target })} className="out-way">
      <TreeItemContent>
        <div className="out-row">
          <ArrowRight className="i" aria-hidden size={14} strokeWidth={1.5} />
          <span className="cut grow">{label}</span>
          <Problems of={edge.id} />
          <span className="to cut">{target}</span>
        </div>
      </TreeItemContent>
    </TreeItem>
  );
}

/** How many problems a node or transition has. */
function Problems({ of: elementId }: { of: string }) {
  const all = useEditor((state) => state.distinctProblems);
  const found = all.filter(({ id }) => id === elementId);
  if (found.length === 0) return null;
  return (
    <Tag is={found.some(({ severity }) => severity === 'error') ? 'bad' : 'warn'} icon={TriangleAlert}>
      {found.length}
      <span className="vh">{t('editor.problemCount', { count: found.length })}</span>
    </Tag>
  );
}
