import { createContext, useContext } from 'react';
import { createStore, type StoreApi, useStore } from 'zustand';
import type { Workflow } from '../../../../src/contract/agents.ts';
import type { NodeSpec } from '../../../../src/contract/node-types.ts';
import { may } from '../../app/may.ts';
import { ApiError, call } from '../../app/api.ts';
import { nowDate } from '../../app/clock.ts';
import { queries } from '../../app/query.ts';
import { session as signedIn } from '../../app/session.ts';
import { t } from '../../app/words.ts';
import { definitionOf, type Draft, draftOf, type Point, sameJson } from '../../graph/draft.ts';
import {
  type Change,
  closeStep,
  type History,
  historyOf,
  rebase,
  record,
  redo,
  undo,
} from '../../graph/history.ts';
import { type Conflict, merge, type Place, takeTheirs } from '../../graph/merge.ts';
import { type Outline, outlineOf } from '../../graph/order.ts';
import { distinct, type Problem, problemsOf, type Surroundings } from '../../graph/problems.ts';
import { type Base, createSaver, type SaveAnswer, type Saver, type SaveState } from '../../graph/saver.ts';
import { keepWork, type LeftWork } from './kept.ts';

export type Version = Pick<Workflow, 'version_number' | 'version_status' | 'current_definition_id'>;

export interface EditorState {
  history: History;
  /** Ids of the selected nodes, or of one transition. */
  selected: readonly string[];
  /** The field to go to, after a problem was chosen. */
  focused: string | null;
  /** Counts the times that the focus was sent to a field. */
  turn: number;
  save: SaveState;
  /** At each field. */
  problems: readonly Problem[];
  /** The same, each once. */
  distinctProblems: readonly Problem[];
  version: Version;
  /** Unsaved work of earlier visits, until it is restored or discarded; the newest first. */
  offered: readonly LeftWork[];
  /** Fields that the work to be restored and the draft have both changed: `mine` is the kept value. */
  restoring: readonly Conflict[] | null;
  asked: Asked | null;
  /** What was published in this visit, until the draft is changed again. */
  published: Published | null;
}

export interface Published {
  version: number;
  /** The version that was published before. */
  former: number | null;
  /** Calls that go on with it; null if that is not known. */
  calls: number | null;
}

/** What the person is asked for over the editor. */
export type Asked =
  | { for: 'node'; at?: Point; after?: string; onEdge?: string }
  | { for: 'target'; source: string }
  | { for: 'find' | 'publish' | 'settings' | 'discard' };

/** One visit of the editor: the draft with its history, its selection and its saving. */
export interface EditorSession {
  store: StoreApi<EditorState>;
  agentId: number;
  specs: readonly NodeSpec[];
  specOf: (type: string) => NodeSpec | undefined;
  isBeside: (type: string) => boolean;
  draft: () => Draft;
  base: () => Base;
  change: (next: (draft: Draft) => Draft, change: Change) => void;
  select: (ids: readonly string[], field?: string | null) => void;
  ask: (asked: Asked | null) => void;
  undo: () => void;
  redo: () => void;
  flush: () => Promise<void>;
  /** The person has settled the conflicts with this draft. */
  settle: (draft: Draft) => void;
  /** Brings kept work in, or asks first for fields that were changed since. */
  restore: () => void;
  /** Brings it in, with the draft's own value in these fields. Null leaves it for later. */
  settleRestore: (theirs: readonly Conflict[] | null) => void;
  forget: () => void;
  /** Reads the agent again, after it was published. */
  reload: () => Promise<void>;
  /** Goes back to the published version. */
  discard: () => Promise<void>;
  /** Makes an earlier version the draft. */
  goBack: (version: number) => Promise<void>;
  setTools: (tools: Surroundings) => void;
  close: () => void;
}

const problemsMs = 300;

function inspected(draft: Draft, tools?: Surroundings) {
  const problems = problemsOf(draft, tools);
  return { problems, distinctProblems: distinct(problems) };
}

export interface SessionInput {
  agentId: number;
  agent: Workflow;
  etag: string | undefined;
  specs: readonly NodeSpec[];
  onMerged: (taken: readonly Place[], before: Draft) => void;
}

export function createSession({ agentId, agent, etag, specs, onMerged }: SessionInput): EditorSession {
  const byName = new Map(specs.map((spec) => [spec.name, spec]));
  const first: Base = { draft: draftOf(agent), etag };
  let tools: Surroundings = {};
  let timer: ReturnType<typeof setTimeout> | undefined;

  const store = createStore<EditorState>(() => ({
    history: historyOf(first.draft),
    selected: [],
    focused: null,
    turn: 0,
    save: { is: 'saved', at: null },
    ...inspected(first.draft),
    version: agent,
    offered: [],
    restoring: null,
    asked: null,
    published: null,
  }));
  const draft = () => store.getState().history.present;

  const saver: Saver = createSaver(first, {
    put: async (sent, base) => await put(agentId, sent, base, (version) => store.setState({ version })),
    present: draft,
    show: (next) => {
      store.setState(({ history }) => ({ history: rebase(history, next) }));
      check();
    },
    onState: (save) => store.setState({ save }),
    keep: (work) => keeping.keep(work),
    onMerged: (taken) => onMerged(taken, draft()),
    now: nowDate,
    later: (run, ms) => {
      const waiting = setTimeout(run, ms);
      return () => clearTimeout(waiting);
    },
  });

  function check(): void {
    clearTimeout(timer);
    timer = setTimeout(() => store.setState(inspected(draft(), tools)), problemsMs);
  }

  function setHistory(history: History): void {
    if (history === store.getState().history) return;
    const ids = new Set([...history.present.nodes, ...history.present.edges].map(({ id }) => id));
    store.setState(({ selected }) => ({
      history,
      selected: selected.every((id) => ids.has(id)) ? selected : selected.filter((id) => ids.has(id)),
    }));
    saver.changed();
    check();
  }

  /** What the server has, after a request that changed more than the draft. */
  async function adoptLatest(): Promise<Draft> {
    const { body, etag: tag } = await call('get', '/workflow/fetch/{workflow_id}', {
      params: { workflow_id: agentId },
    });
    const next = draftOf(body);
    saver.adopt({ draft: next, etag: tag });
    store.setState({ version: body });
    void queries.invalidateQueries();
    return next;
  }

  const withKept = (work: LeftWork) => merge(work.base.draft, work.draft, draft());
  const keeping = keepWork(`${signedIn.get()?.user.organization_id ?? 0}/${agentId}`, (left) => {
    if (sameJson(withKept(left).merged, draft())) keeping.forget(left);
    else store.setState(({ offered }) => ({ offered: [...offered, left].toSorted((a, b) => b.at - a.at) }));
  });

  function forgetOffered(work: LeftWork): void {
    store.setState(({ offered }) => ({ restoring: null, offered: offered.filter((each) => each !== work) }));
    keeping.forget(work);
  }

  function restore(theirs: readonly Conflict[]): void {
    const { offered, restoring, history } = store.getState();
    const [work] = offered;
    if (work === undefined) return;
    const { merged, conflicts } = withKept(work);
    if (conflicts.length > 0 && !sameJson(conflicts, restoring)) {
      store.setState({ restoring: conflicts });
      return;
    }
    setHistory(record(history, theirs.reduce(takeTheirs, merged), { name: t('editor.did.restore') }));
    forgetOffered(work);
  }

  const flushSoon = () => void saver.flush();
  addEventListener('blur', flushSoon);
  addEventListener('online', flushSoon);

  return {
    store,
    agentId,
    specs,
    specOf: (type) => byName.get(type),
    isBeside: (type) => {
      const category = byName.get(type)?.category;
      return category !== undefined && category !== 'call_node';
    },
    draft,
    base: saver.base,
    change: (next, change) => {
      // The page says why; nothing of the graph may change on this screen either.
      if (!may('agents:write')) return;
      setHistory(record(store.getState().history, next(draft()), change));
    },
    select: (selected, focused = null) => {
      const now = store.getState();
      if (focused === null && sameJson(selected, now.selected)) return;
      const turn = focused === null ? now.turn : now.turn + 1;
      store.setState({ selected, focused, turn, history: closeStep(now.history) });
    },
    ask: (asked) => store.setState({ asked }),
    undo: () => setHistory(undo(store.getState().history)),
    redo: () => setHistory(redo(store.getState().history)),
    flush: saver.flush,
    settle: (next) => {
      store.setState(({ history }) => ({ history: rebase(history, next) }));
      check();
      void saver.settle();
    },
    restore: () => restore([]),
    settleRestore: (theirs) => (theirs === null ? store.setState({ restoring: null }) : restore(theirs)),
    forget: () => {
      const [work] = store.getState().offered;
      if (work !== undefined) forgetOffered(work);
    },
    reload: async () => {
      await adoptLatest();
      saver.changed();
    },
    discard: async () => {
      await saver.flush();
      const params = { workflow_id: agentId };
      await call('delete', '/workflow/{workflow_id}/draft', { params, ifMatch: saver.base().etag });
      const next = await adoptLatest();
      setHistory(record(store.getState().history, next, { name: t('editor.did.discard') }));
    },
    goBack: async (version) => {
      await call('post', '/workflow/{workflow_id}/versions/{version_number}/restore', {
        params: { workflow_id: agentId, version_number: version },
        query: { note: t('editor.backNote', { version }) },
        ifMatch: saver.base().etag,
      });
      const next = await adoptLatest();
      setHistory(record(store.getState().history, next, { name: t('editor.did.back', { version }) }));
    },
    setTools: (next) => {
      tools = next;
      check();
    },
    close: () => {
      removeEventListener('blur', flushSoon);
      removeEventListener('online', flushSoon);
      clearTimeout(timer);
      void saver.flush().finally(() => {
        saver.stop();
        keeping.end();
      });
    },
  };
}

async function put(
  agentId: number,
  sent: Draft,
  base: Base,
  onVersion: (version: Version) => void,
): Promise<SaveAnswer> {
  const params = { workflow_id: agentId };
  try {
    const { body, etag } = await call('put', '/workflow/{workflow_id}', {
      params,
      ifMatch: base.etag,
      body: changedParts(sent, base.draft),
    });
    onVersion(body);
    // Other pages read the agent anew.
    for (const path of ['/workflow/fetch/{workflow_id}', '/workflow/{workflow_id}/versions'])
      void queries.invalidateQueries({ queryKey: [path] });
    return { is: 'stored', base: { draft: draftOf(body), etag } };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (error.status === 412) return await latest(agentId, onVersion);
    return error.status === 0 || error.status >= 500 || error.status === 429
      ? { is: 'unreachable' }
      : { is: 'refused', message: error.message };
  }
}

async function latest(agentId: number, onVersion: (version: Version) => void): Promise<SaveAnswer> {
  try {
    const { body, etag } = await call('get', '/workflow/fetch/{workflow_id}', {
      params: { workflow_id: agentId },
    });
    onVersion(body);
    return { is: 'changed', base: { draft: draftOf(body), etag } };
  } catch {
    return { is: 'unreachable' };
  }
}

/** Only the parts that differ: an absent part stays as it is (contract 1.3). */
function changedParts(sent: Draft, before: Draft) {
  const [definition, was] = [definitionOf(sent), definitionOf(before)];
  return {
    ...(sent.name === before.name ? {} : { name: sent.name }),
    ...(sameJson(definition, was) ? {} : { workflow_definition: definition }),
    ...(sameJson(sent.settings, before.settings) ? {} : { workflow_configurations: { ...sent.settings } }),
    ...(sameJson(sent.values, before.values) ? {} : { template_context_variables: { ...sent.values } }),
  };
}

export const SessionContext = createContext<EditorSession | null>(null);

export function useSession(): EditorSession {
  const found = useContext(SessionContext);
  if (found === null) throw new Error('The editor has no session here');
  return found;
}

/** A part of the editor's state; the component is drawn again when it changes. */
export function useEditor<T>(select: (state: EditorState) => T): T {
  return useStore(useSession().store, select);
}

export const useDraft = (): Draft => useEditor(({ history }) => history.present);

export const useAgentName = (): string => useEditor(({ history }) => history.present.name);

const outlines = new WeakMap<Draft, Outline>();

/** The draft in reading order: the same object for the same draft. */
export function useOutline(): Outline {
  const { isBeside } = useSession();
  const draft = useDraft();
  const outline = outlines.get(draft) ?? outlineOf(draft, isBeside);
  outlines.set(draft, outline);
  return outline;
}
