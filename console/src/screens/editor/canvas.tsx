import {
  Handle,
  MiniMap,
  type Node,
  type NodeProps,
  Panel,
  Position,
  ReactFlow,
  ReactFlowProvider,
  SelectionMode,
  useReactFlow,
  useStore,
  useStoreApi,
  ViewportPortal,
} from '@xyflow/react';
import { Maximize, Minus, Network, Plus } from 'lucide-react';
import { memo, useCallback, useEffect, useLayoutEffect, useMemo, useState } from 'react';
import { may, useMay } from '../../app/may.ts';
import { useShortcuts } from '../../app/shortcuts.ts';
import { t } from '../../app/words.ts';
import type { GraphEdge, GraphNode, Point } from '../../graph/draft.ts';
import { conditionOf, labelOf, nameOf, nodeSize } from '../../graph/draft.ts';
import { drawEdges, pathOf, type Rect } from '../../graph/edges.ts';
import { gridStep, guidesOf, moveNodes } from '../../graph/edit.ts';
import { IconButton } from '../../parts/button.tsx';
import { cx } from '../../parts/cx.ts';
import { toast } from '../../parts/toast.tsx';
import { canConnect, connectNodes, tidyPlaces } from './actions.ts';
import { EmptyGraph } from './empty-graph.tsx';
import { useGlide } from './glide.ts';
import { NodeCard, ProblemMark } from './node-card.tsx';
import { useIsPhone } from './outline.tsx';
import { useLit } from './rail/shown.ts';
import { useTest } from './rail/tester.ts';
import { useDraft, useEditor, useOutline, useSession } from './session.ts';

type StepNode = Node<{ node: GraphNode }, 'step'>;

/** A transition as it is drawn. */
interface Way {
  id: string;
  points: readonly Point[];
  label: Point;
  text: string;
  condition: string;
  isSelected: boolean;
  /** It or a node at one of its ends is selected. */
  isLit: boolean;
}

/** Keeps the elements that have not changed since the last call, so that only the others are drawn again. */
function keeper<T extends { id: string }>(isSame: (one: T, other: T) => boolean): (elements: T[]) => T[] {
  let last = new Map<string, T>();
  return (elements) => {
    const kept = elements.map((each) => {
      const before = last.get(each.id);
      return before !== undefined && isSame(before, each) ? before : each;
    });
    last = new Map(kept.map((each) => [each.id, each]));
    return kept;
  };
}

type Places = ReadonlyMap<string, Point>;

/** Keeps the places while no node has moved: words typed into a node move no transition. */
function placesKeeper(): (places: Places) => Places {
  let last: Places = new Map();
  return (places) => {
    const isSame = places.size === last.size && [...places].every(([id, place]) => last.get(id) === place);
    if (!isSame) last = places;
    return last;
  };
}

const isSameStep = (one: StepNode, other: StepNode): boolean =>
  one.data.node === other.data.node &&
  one.position === other.position &&
  one.selected === other.selected &&
  one.ariaLabel === other.ariaLabel;

const isSameWay = (one: Way, other: Way): boolean =>
  one.points === other.points &&
  one.text === other.text &&
  one.condition === other.condition &&
  one.isSelected === other.isSelected &&
  one.isLit === other.isLit;

const handles = [
  { type: 'target', position: Position.Top, x: nodeSize.width / 2, y: 0, width: 1, height: 1 },
  {
    type: 'source',
    position: Position.Bottom,
    x: nodeSize.width / 2,
    y: nodeSize.height,
    width: 1,
    height: 1,
  },
] as const;

const Step = memo(({ id, data: { node }, selected }: NodeProps<StepNode>) => {
  const { specOf } = useSession();
  const problems = useEditor((state) => state.distinctProblems);
  const spec = specOf(node.type);
  return (
    <>
      <Handle type="target" position={Position.Top} aria-hidden isConnectableStart={false} />
      <NodeCard
        node={node}
        spec={spec}
        problems={problems.filter((each) => each.id === id)}
        isSelected={selected}
      />
      {spec?.graph_constraints?.max_outgoing !== 0 && (
        <Handle type="source" position={Position.Bottom} aria-hidden />
      )}
    </>
  );
});
Step.displayName = 'Step';

/** How a transition looks: near what is selected, and taken or not in the test. */
function useLook({ id, isLit }: Way): { look: string; end: 'near' | 'taken' | 'n' } {
  const lit = useLit();
  const isTaken = lit?.taken.has(id) === true;
  return {
    look: cx(
      isLit && 'near',
      isTaken && 'taken',
      lit?.last === id && 'last',
      lit !== null && !isTaken && 'dim',
    ),
    end: isLit ? 'near' : isTaken ? 'taken' : 'n',
  };
}

const WayLine = memo(({ way }: { way: Way }) => {
  const session = useSession();
  const { look, end } = useLook(way);
  const path = useMemo(() => pathOf(way.points), [way.points]);
  return (
    <>
      <path d={path} className={cx('edge', look)} markerEnd={`url(#way-${end})`} />
      <path d={path} className="edge-hit" onClick={() => session.select([way.id])} />
    </>
  );
});
WayLine.displayName = 'WayLine';

const WayLabel = memo(({ way }: { way: Way }) => {
  const session = useSession();
  const { look } = useLook(way);
  const isPhone = useIsPhone();
  const { id, label, text, condition, isSelected } = way;
  const name = text === '' ? t('editor.noLabel') : text;
  return (
    <div className="way-label nodrag nopan" style={{ left: label.x, top: label.y }}>
      <button
        type="button"
        tabIndex={-1}
        className={cx('el', look, text === '' && 'none')}
        title={condition === '' ? name : t('editor.labelAndCondition', { label: name, condition })}
        onClick={() => session.select([id])}
      >
        <span className="cut">{name}</span>
        {condition !== '' && <span className="cut when">{condition}</span>}
        <WayProblems of={id} />
      </button>
      {isSelected && !isPhone && may('agents:write') && (
        <button
          type="button"
          tabIndex={-1}
          className="el plus"
          aria-label={t('editor.insertHere')}
          onClick={() => session.ask({ for: 'node', onEdge: id })}
        >
          <Plus className="i" aria-hidden size={12} />
        </button>
      )}
    </div>
  );
});
WayLabel.displayName = 'WayLabel';

function WayProblems({ of: edgeId }: { of: string }) {
  const problems = useEditor((state) => state.distinctProblems);
  return <ProblemMark problems={problems.filter(({ id }) => id === edgeId)} />;
}

/**
 * All transitions in one picture. Edges of React Flow would each be a picture of their own that asks for its place
 * whenever the view moves.
 */
const Ways = memo(({ ways }: { ways: readonly Way[] }) => (
  <ViewportPortal>
    <svg className="edges" aria-hidden>
      {ways.map((way) => (
        <WayLine key={way.id} way={way} />
      ))}
    </svg>
    {ways.map((way) => (
      <WayLabel key={way.id} way={way} />
    ))}
  </ViewportPortal>
));
Ways.displayName = 'Ways';

const fitAll = { padding: 0.12, maxZoom: 1 };
/** Leaves room for the nodes beside the flow and for the path. */
const fitTest = { padding: { x: 0.12, top: '56px', bottom: '64px' }, maxZoom: 1 } as const;
const nodeTypes = { step: Step };

/** Below it the words on a card are smaller than five pixels. */
const farZoom = 0.4;

function Flow() {
  const session = useSession();
  const draft = useDraft();
  const { flow } = useOutline();
  const selected = useEditor((state) => state.selected);
  const [moving, setMoving] = useState<ReadonlyMap<string, Point>>(new Map());
  const [gliding, glide] = useGlide();
  const { screenToFlowPosition } = useReactFlow();
  const isPhone = useIsPhone();
  // On a phone the outline is the editor; the canvas is looked at.
  const isBuilding = useMay()('agents:write') && !isPhone;
  const view = useStoreApi();
  const isFar = useStore(({ transform }) => transform[2] < farZoom);
  useLayoutEffect(() => {
    view.getState().domNode?.toggleAttribute('data-far', isFar);
  }, [isFar, view]);
  /** While the view moves, the graph is one picture that is moved (editor.css). */
  const setMovingView = (isMoving: boolean): void => {
    view.getState().domNode?.toggleAttribute('data-moving', isMoving);
  };

  const [keepPlaces] = useState(placesKeeper);
  const [keepSteps] = useState(() => keeper(isSameStep));
  const [keepWays] = useState(() => keeper(isSameWay));
  const chosen = useMemo(() => new Set(selected), [selected]);

  const places = useMemo(
    () =>
      keepPlaces(
        new Map(
          flow.map(({ node }): [string, Point] => [
            node.id,
            moving.get(node.id) ?? gliding?.get(node.id) ?? node.position,
          ]),
        ),
      ),
    [flow, moving, gliding, keepPlaces],
  );
  const nodes = useMemo(
    () =>
      keepSteps(
        flow.map(({ node }): StepNode => {
          const position = places.get(node.id) ?? node.position;
          return {
            id: node.id,
            type: 'step',
            position,
            // Hundreds of transforms would cost each frame that moves the graph.
            style: { transform: 'none', left: position.x, top: position.y },
            data: { node },
            selected: chosen.has(node.id),
            ...nodeSize,
            measured: nodeSize,
            handles: [...handles],
            ariaLabel: nameOf(node, session.specOf(node.type)?.display_name),
            domAttributes: { 'aria-roledescription': t('editor.node') },
          };
        }),
      ),
    [flow, places, chosen, session, keepSteps],
  );
  const drawn = useMemo(
    () =>
      drawEdges(
        new Map([...places].map(([id, place]): [string, Rect] => [id, { ...place, ...nodeSize }])),
        draft.edges,
      ),
    [places, draft.edges],
  );
  const ways = useMemo(
    () =>
      keepWays(
        draft.edges.flatMap((edge: GraphEdge): Way[] => {
          const way = drawn.get(edge.id);
          const isSelected = chosen.has(edge.id);
          return way === undefined
            ? []
            : [
                {
                  ...way,
                  id: edge.id,
                  text: labelOf(edge),
                  condition: conditionOf(edge),
                  isSelected,
                  isLit: isSelected || chosen.has(edge.source) || chosen.has(edge.target),
                },
              ];
        }),
      ),
    [drawn, draft.edges, chosen, keepWays],
  );

  const guides = useMemo(() => {
    const [[id, place] = [], ...more] = moving;
    if (id === undefined || place === undefined || more.length > 0) return [];
    return guidesOf(
      place,
      flow.flatMap(({ node }) => (node.id === id ? [] : [node.position])),
    );
  }, [moving, flow]);

  const commit = useCallback(
    (places: ReadonlyMap<string, Point>) => {
      setMoving(new Map());
      session.change((old) => moveNodes(old, places), {
        name: t('editor.did.move', { count: places.size }),
      });
    },
    [session],
  );

  const tidyUp = useCallback(async () => {
    const to = await tidyPlaces(session);
    glide(new Map(session.draft().nodes.map(({ id, position }) => [id, position])), to);
    session.change((draft) => moveNodes(draft, to), { name: t('editor.did.tidy') });
  }, [session, glide]);

  return (
    <ReactFlow<StepNode>
      nodes={nodes}
      nodeTypes={nodeTypes}
      role="application"
      aria-label={t('editor.canvasLabel')}
      nodesDraggable={isBuilding}
      nodesConnectable={isBuilding}
      deleteKeyCode={null}
      selectionOnDrag={!isPhone}
      panOnDrag={isPhone ? true : [1, 2]}
      panOnScroll
      selectionMode={SelectionMode.Partial}
      snapToGrid
      snapGrid={[gridStep, gridStep]}
      minZoom={0.2}
      maxZoom={2}
      fitView
      fitViewOptions={fitAll}
      connectionRadius={80}
      proOptions={{ hideAttribution: true }}
      ariaLabelConfig={{
        'node.a11yDescription.default': t('editor.aria.node'),
        'node.a11yDescription.keyboardDisabled': t('editor.aria.node'),
        'minimap.ariaLabel': t('editor.overview'),
      }}
      onNodesChange={(changes) => {
        const places = new Map(moving);
        let isDone = false;
        const next = new Set(selected.filter((id) => nodes.some((node) => node.id === id)));
        let isSelection = false;
        for (const change of changes) {
          if (change.type === 'position' && change.position !== undefined) {
            places.set(change.id, change.position);
            if (change.dragging !== true) isDone = true;
          }
          if (change.type === 'select') {
            isSelection = true;
            if (change.selected) next.add(change.id);
            else next.delete(change.id);
          }
        }
        if (isDone) commit(places);
        else if (places.size > 0) setMoving(places);
        if (isSelection && (next.size > 0 || selected.some((id) => nodes.some((node) => node.id === id))))
          session.select([...next]);
      }}
      onMoveStart={() => setMovingView(true)}
      onMoveEnd={() => setMovingView(false)}
      onPaneClick={() => session.select([])}
      isValidConnection={({ source, target }) => canConnect(session, source, target)}
      onConnect={({ source, target }) => connectNodes(session, source, target)}
      onConnectEnd={(event, { isValid, fromNode, toNode }) => {
        if (isValid === true || fromNode === null || toNode !== null) return;
        const at = 'changedTouches' in event ? event.changedTouches[0] : event;
        if (at === undefined) return;
        const place = screenToFlowPosition({ x: at.clientX, y: at.clientY });
        session.ask({
          for: 'node',
          after: fromNode.id,
          at: { x: place.x - nodeSize.width / 2, y: place.y },
        });
      }}
    >
      <Arrows />
      <Ways ways={ways} />
      {nodes.length === 0 && (
        <Panel position="top-center" className="none-yet">
          <EmptyGraph />
        </Panel>
      )}
      {nodes.length > 0 && (
        <MiniMap
          className="map"
          pannable
          zoomable
          nodeBorderRadius={8}
          nodeClassName={({ selected: isOn }) => (isOn === true ? 'on' : '')}
        />
      )}
      <Zoom onTidy={isPhone ? null : tidyUp} />
      <FitBesideTest />
      <ViewportPortal>
        {guides.map(({ kind, at, from, to }) => (
          <div
            key={kind}
            className="guide"
            style={
              kind === 'left'
                ? { left: at, top: from, width: 1, height: to - from }
                : { left: from, top: at, width: to - from, height: 1 }
            }
          />
        ))}
      </ViewportPortal>
    </ReactFlow>
  );
}

/** Heads of the transitions. */
const Arrows = () => (
  <svg className="sprite" aria-hidden>
    <defs>
      {['n', 'near', 'taken'].map((name) => (
        <marker
          key={name}
          id={`way-${name}`}
          viewBox="0 0 8 8"
          refX="6.5"
          refY="4"
          markerWidth="8"
          markerHeight="8"
          markerUnits="userSpaceOnUse"
          orient="auto-start-reverse"
        >
          <path className={`ah ${name}`} d="M1 1 7 4 1 7z" />
        </marker>
      ))}
    </defs>
  </svg>
);

/** Shows the whole graph beside the test, when it opens. */
function FitBesideTest() {
  const { fitView } = useReactFlow();
  const isOpen = useTest((state) => state.isOpen);
  useEffect(() => {
    if (!isOpen) return undefined;
    const frame = requestAnimationFrame(() => void fitView(fitTest));
    return () => cancelAnimationFrame(frame);
  }, [isOpen, fitView]);
  return null;
}

const Zoom = memo(({ onTidy }: { onTidy: (() => Promise<void>) | null }) => {
  const session = useSession();
  const { zoomIn, zoomOut, fitView } = useReactFlow();
  const zoom = useStore(({ transform }) => transform[2]);
  const shortcuts = useMemo(
    () => [
      { keys: '1', words: t('editor.fitAll'), run: () => void fitView(fitAll) },
      {
        keys: '2',
        words: t('editor.fitSelection'),
        run: () => {
          const nodes = session.store.getState().selected.map((id) => ({ id }));
          void fitView({ ...fitAll, ...(nodes.length > 0 ? { nodes } : {}) });
        },
      },
    ],
    [fitView, session],
  );
  useShortcuts(shortcuts);
  return (
    <Panel position="bottom-left" className="zoom">
      <IconButton icon={Minus} label={t('editor.zoomOut')} onPress={() => void zoomOut()} />
      <span>{Math.round(zoom * 100)}%</span>
      <IconButton icon={Plus} label={t('editor.zoomIn')} onPress={() => void zoomIn()} />
      <IconButton icon={Maximize} label={t('editor.fit')} onPress={() => void fitView(fitAll)} />
      {onTidy !== null && (
        <IconButton
          icon={Network}
          needs="agents:write"
          label={t('editor.tidy')}
          onPress={() => void onTidy().catch(() => toast(t('common.unexpected')))}
        />
      )}
    </Panel>
  );
});
Zoom.displayName = 'Zoom';

export function Canvas() {
  return (
    <ReactFlowProvider>
      <Flow />
    </ReactFlowProvider>
  );
}
