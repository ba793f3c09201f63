import '../../styles/editor.css';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Braces, Info, Play, Plus, SlidersHorizontal, TriangleAlert } from 'lucide-react';
import { lazy, Suspense, useEffect, useMemo, useState } from 'react';
import type { Workflow } from '../../../../src/contract/agents.ts';
import type { NodeSpec } from '../../../../src/contract/node-types.ts';
import { KeptHere } from '../../app/away.ts';
import { timeOfDay } from '../../app/format.ts';
import { call } from '../../app/api.ts';
import { get, getTagged } from '../../app/query.ts';
import { type Shortcut, useShortcuts } from '../../app/shortcuts.ts';
import { may, useMay } from '../../app/may.ts';
import { t } from '../../app/words.ts';
import { Button, IconButton } from '../../parts/button.tsx';
import { cx } from '../../parts/cx.ts';
import { Page } from '../../parts/page.tsx';
import { ReadOnly } from '../../parts/read-only.ts';
import { Loaded, Skeleton } from '../../parts/states.tsx';
import { toast } from '../../parts/toast.tsx';
import { authorOf } from '../versions/author.ts';
import { copyNodes, duplicate, pasteText, removeElements, shownName } from './actions.ts';
import { ConflictDialog, placeName } from './conflict.tsx';
import { Glyph } from './kinds.tsx';
import { OutlineView, useIsPhone } from './outline.tsx';
import { PanelEdge } from './panel-edge.tsx';
import { ProblemsPanel } from './problems-panel.tsx';
import { PublishedNote } from './publish.tsx';
import { PathBar } from './rail/path-bar.tsx';
import { LitContext, useShownTest } from './rail/shown.ts';
import { createTester, type Tester, TesterContext, useTest, useTester } from './rail/tester.ts';
import {
  createSession,
  type EditorSession,
  SessionContext,
  useAgentName,
  useEditor,
  useOutline,
  useSession,
} from './session.ts';
import { surroundingsOf } from '../../graph/problems.ts';
import { filesOf } from '../../graph/variables.ts';
import { Asking } from './asking.tsx';
import { Actions, Heading, toTest, VersionAndSaving, ViewSwitch } from './bar.tsx';

const Canvas = lazy(async () => ({ default: (await import('./canvas.tsx')).Canvas }));
const readPanel = async () => ({ default: (await import('./panel.tsx')).EditPanel });
const readRail = async () => ({ default: (await import('./rail/rail.tsx')).TestRail });
const readVariables = async () => ({ default: (await import('./variables-panel.tsx')).VariablesPanel });
const [EditPanel, TestRail, VariablesPanel] = [lazy(readPanel), lazy(readRail), lazy(readVariables)];
const route = getRouteApi('/agents/$agentId');

/** The agent editor: graph, forms, problems, saving and publishing. */
export function EditorPage() {
  const { agentId } = route.useParams();
  const id = Number(agentId);
  const agent = useQuery({
    ...getTagged('/workflow/fetch/{workflow_id}', { params: { workflow_id: id } }),
    // Read once for each visit, whatever other pages have read: the editor's own merge brings later changes in.
    queryKey: ['editor', id],
    staleTime: Infinity,
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
  const types = useQuery({ ...get('/node-types', {}), staleTime: Infinity });
  const name = agent.data?.body.name ?? t('editor.wholeAgent');
  const room = { to: '/agents', label: t('frame.agents') };
  if (agent.data === undefined)
    return (
      <Page title={name} room={room}>
        <Loaded query={agent}>{() => null}</Loaded>
      </Page>
    );
  if (types.data === undefined)
    return (
      <Page title={name} room={room}>
        <Loaded query={types}>{() => null}</Loaded>
      </Page>
    );
  return (
    <Editor
      key={id}
      agentId={id}
      agent={agent.data.body}
      etag={agent.data.etag}
      specs={types.data.node_types}
    />
  );
}

/** Who made the newest version; “Someone” if the API does not say it. */
async function lastAuthor(agentId: number): Promise<string> {
  const asked = { params: { workflow_id: agentId }, query: { limit: 1 } };
  const [newest] = await call('get', '/workflow/{workflow_id}/versions', asked).then(
    ({ body }) => body,
    () => [],
  );
  return newest?.author == null ? t('editor.someone') : authorOf(newest);
}

interface EditorProps {
  agentId: number;
  agent: Workflow;
  etag: string | undefined;
  specs: readonly NodeSpec[];
}

function Editor(props: EditorProps) {
  const [visit, setVisit] = useState<{ session: EditorSession; tester: Tester } | null>(null);
  useEffect(() => {
    const made: EditorSession = createSession({
      ...props,
      onMerged: (taken) => {
        const [first] = taken;
        if (first === undefined) return;
        const place = placeName(made, first);
        void lastAuthor(props.agentId).then((who) =>
          toast(t('editor.merged', { who, place, more: taken.length - 1 })),
        );
      },
    });
    const tester = createTester(made);
    setVisit({ session: made, tester });
    return () => {
      tester.dispose();
      made.close();
    };
    // eslint-disable-next-line react-hooks/exhaustive-deps -- one session for each visit
  }, []);
  if (visit === null) return null;
  return (
    <SessionContext value={visit.session}>
      <TesterContext value={visit.tester}>
        <KeptHere value>
          <Workbench />
        </KeptHere>
      </TesterContext>
    </SessionContext>
  );
}

function Workbench() {
  const session = useSession();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const isPhone = useIsPhone();
  const name = useAgentName();
  const selected = useEditor((state) => state.selected);
  const asked = useEditor((state) => state.asked);
  const [below, setBelow] = useState<Below>(null);
  const view = search.view ?? (isPhone ? 'outline' : 'canvas');
  const tools = useQuery(get('/tools/', {}));
  const isTesting = useTest((state) => state.isOpen);
  const shown = useShownTest();

  useEffect(() => {
    if (search.node !== undefined && session.draft().nodes.some(({ id }) => id === search.node))
      session.select([search.node]);
    // eslint-disable-next-line react-hooks/exhaustive-deps -- the address of the first visit
  }, []);
  const [only] = selected.length === 1 ? selected : [];
  useEffect(() => {
    void navigate({ search: (old) => ({ ...old, node: only }), replace: true });
  }, [only, navigate]);
  const { data: listed } = useQuery(
    get('/workflow/{workflow_id}/variables', { params: { workflow_id: session.agentId } }),
  );
  useEffect(() => {
    const files = filesOf(listed?.variables ?? []);
    if (tools.data !== undefined)
      session.setTools(surroundingsOf(tools.data, { hasNumbers: may('people:read'), ...files }));
  }, [tools.data, listed, session]);
  useKeys();
  const onView = (next: 'canvas' | 'outline') => void navigate({ search: (old) => ({ ...old, view: next }) });

  const hasPanel = isTesting || selected.length > 0;
  // The form of a node lies over the test, which goes on.
  const panel = (
    <Suspense fallback={hasPanel ? <Skeleton /> : null}>
      {isTesting && selected.length === 0 ? (
        <TestRail shown={shown} />
      ) : (
        <ReadOnly value={!may('agents:write')}>
          <EditPanel onClose={() => session.select([])} />
        </ReadOnly>
      )}
    </Suspense>
  );
  // They are there before they are opened, also while the API is away.
  useEffect(() => void Promise.all([readPanel(), readRail(), readVariables()]).catch(() => undefined), []);
  const toggle = (list: Below) => setBelow(below === list ? null : list);
  const strip = <Strip isCanvas={view === 'canvas'} below={below} onToggle={toggle} />;
  return (
    <LitContext value={isTesting ? shown.lit : null}>
      <Page
        title={name}
        isFlush
        needs={['agents:write']}
        {...(isPhone ? {} : { room: { to: '/agents', label: t('frame.agents') } })}
        heading={<Heading isPhone={isPhone} />}
        actions={
          <Actions
            view={view}
            onView={onView}
            isPhone={isPhone}
            hasProblems={below === 'problems'}
            onProblems={() => toggle('problems')}
          />
        }
      >
        <div className={cx('ed', hasPanel && 'has-panel')}>
          <div className="center">
            {isPhone && (
              <div className="row wrap phone-bar">
                <ViewSwitch view={view} onView={onView} />
                <span className="grow" />
                <VersionAndSaving isPhone />
              </div>
            )}
            <Offer />
            <PublishedNote />
            <Refused />
            {view === 'canvas' ? (
              <div className="canvas">
                <Dock />
                {strip}
                <Suspense fallback={<Skeleton />}>
                  <Canvas />
                </Suspense>
                {isTesting && <PathBar shown={shown} />}
              </div>
            ) : (
              <>
                <OutlineView />
                {strip}
              </>
            )}
            {below === 'problems' && <ProblemsPanel onClose={() => setBelow(null)} />}
            {below === 'variables' && (
              <Suspense fallback={<Skeleton />}>
                <VariablesPanel onClose={() => setBelow(null)} />
              </Suspense>
            )}
          </div>
          {hasPanel && !isPhone && <PanelEdge />}
          {panel}
        </div>
        {asked !== null && <Asking />}
        <ConflictDialog />
      </Page>
    </LitContext>
  );
}

/** Whether what has the focus wants copying and pasting for itself. */
const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.closest('input, textarea, [role="dialog"]') !== null);

/** Keys that work on the canvas and beside the outline. */
function useKeys(): void {
  const session = useSession();
  const tester = useTester();
  const mayTest = useMay()('calls:trigger');
  const shortcuts = useMemo((): Shortcut[] => {
    const selected = () => session.store.getState().selected;
    // A single key pressed in a form is meant for the form.
    const onGraph = (run: () => void) => () => {
      if (document.activeElement?.closest('.panel') == null) run();
    };
    const removeSelected = onGraph(() => removeElements(session, selected()));
    return [
      { keys: 'Ctrl+z', words: t('common.undo'), run: session.undo },
      { keys: 'Ctrl+Z', words: t('editor.redoNothing'), run: session.redo },
      { keys: 'Ctrl+y', words: t('editor.redoNothing'), run: session.redo },
      { keys: 'Ctrl+d', words: t('editor.duplicate'), run: () => duplicate(session, selected()) },
      { keys: 'Ctrl+f', words: t('editor.find'), run: () => session.ask({ for: 'find' }) },
      { keys: 'Ctrl+s', words: t('editor.saveNow'), run: () => void session.flush() },
      { keys: 'Delete', words: t('editor.deleteSelected'), run: removeSelected },
      { keys: 'Backspace', words: t('editor.deleteSelected'), run: removeSelected },
      ...(mayTest ? [{ keys: 't', words: t('rail.open'), run: onGraph(() => toTest(session, tester)) }] : []),
      { keys: 'a', words: t('editor.addNode'), run: onGraph(() => session.ask({ for: 'node' })) },
      {
        keys: 'c',
        words: t('editor.connectTo'),
        run: onGraph(() => {
          const [source] = selected();
          if (source !== undefined && session.draft().nodes.some(({ id }) => id === source))
            session.ask({ for: 'target', source });
        }),
      },
    ];
  }, [session, tester, mayTest]);
  useShortcuts(shortcuts);
  useEffect(() => {
    const onPaste = (event: ClipboardEvent) => {
      if (!isTyping(event.target)) pasteText(session, event.clipboardData?.getData('text/plain') ?? '');
    };
    const onCopy = (event: ClipboardEvent) => {
      if (isTyping(event.target) || getSelection()?.isCollapsed === false) return;
      if (!canCopy(session)) return;
      event.preventDefault();
      void copyNodes(session, session.store.getState().selected);
    };
    addEventListener('paste', onPaste);
    addEventListener('copy', onCopy);
    return () => {
      removeEventListener('paste', onPaste);
      removeEventListener('copy', onCopy);
    };
  }, [session]);
}

const canCopy = (session: EditorSession): boolean => {
  const { selected } = session.store.getState();
  return session.draft().nodes.some(({ id }) => selected.includes(id));
};

/** Nodes that have no place in the flow. */
function Dock() {
  const session = useSession();
  const { beside } = useOutline();
  const selected = useEditor((state) => state.selected);
  const problems = useEditor((state) => state.distinctProblems);
  return (
    <ul className="dock" aria-label={t('editor.beside')}>
      {beside.map((node) => {
        const count = problems.filter(({ id }) => id === node.id).length;
        return (
          <li key={node.id}>
            <button
              type="button"
              className={cx('side', selected.includes(node.id) && 'on', count > 0 && 'mod')}
              aria-pressed={selected.includes(node.id)}
              onClick={() => session.select([node.id])}
            >
              <Glyph spec={session.specOf(node.type)} type={node.type} isSmall />
              {shownName(session, node.id)}
              {count > 0 && <span className="vh">{t('editor.problemCount', { count })}</span>}
            </button>
          </li>
        );
      })}
    </ul>
  );
}

/** The list that is shown below the graph. */
type Below = 'problems' | 'variables' | null;

function Strip({
  isCanvas,
  below,
  onToggle,
}: {
  isCanvas: boolean;
  below: Below;
  onToggle: (list: Below) => void;
}) {
  const session = useSession();
  const tester = useTester();
  const isPhone = useIsPhone();
  const problems = useEditor((state) => state.distinctProblems.length);
  return (
    <div className="strip" role="toolbar" aria-label={t('editor.toolbar')} aria-orientation="vertical">
      {!(isPhone && isCanvas) && (
        <IconButton
          icon={Plus}
          label={t('editor.addNode')}
          needs="agents:write"
          onPress={() => session.ask({ for: 'node' })}
        />
      )}
      <span className="relative">
        <IconButton
          icon={TriangleAlert}
          label={t('editor.problemsButton', { count: problems })}
          aria-expanded={below === 'problems'}
          onPress={() => onToggle('problems')}
        />
        {problems > 0 && (
          <span className="n" aria-hidden>
            {problems}
          </span>
        )}
      </span>
      <IconButton
        icon={Braces}
        label={t('editor.variables')}
        aria-expanded={below === 'variables'}
        onPress={() => onToggle('variables')}
      />
      <IconButton
        icon={SlidersHorizontal}
        label={t('editor.settings')}
        onPress={() => session.ask({ for: 'settings' })}
      />
      {isPhone && (
        <IconButton
          icon={Play}
          label={t('rail.open')}
          needs="calls:trigger"
          onPress={() => toTest(session, tester)}
        />
      )}
    </div>
  );
}

/** Work of an earlier visit that was never saved. */
function Offer() {
  const session = useSession();
  const [offered] = useEditor((state) => state.offered);
  if (offered === undefined) return null;
  return (
    <div role="status" className="banner is-warn">
      <Info className="i" aria-hidden size={16} strokeWidth={1.5} />
      <span className="grow">{t('editor.offer', { time: timeOfDay(new Date(offered.at)) })}</span>
      <Button size="xs" onPress={session.restore}>
        {t('editor.restore')}
      </Button>
      <Button size="xs" kind="ghost" onPress={session.forget}>
        {t('editor.forget')}
      </Button>
    </div>
  );
}

/** Why the server does not store the draft. */
function Refused() {
  const save = useEditor((state) => state.save);
  if (save.is !== 'refused') return null;
  return (
    <div role="alert" className="banner is-bad">
      <span className="grow">{t('editor.refusedWhy', { message: save.message })}</span>
    </div>
  );
}
