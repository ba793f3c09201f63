import '../../styles/calls.css';
import '../../styles/live.css';
import { useQueries, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { Circle, ExternalLink, OctagonAlert, RefreshCw, TriangleAlert, VolumeX } from 'lucide-react';
import { useEffect, useMemo, useRef } from 'react';
import type { WorkflowRun } from '../../../../src/contract/calls.ts';
import type { UsageRun } from '../../../../src/contract/usage.ts';
import { count, duration } from '../../app/format.ts';
import { useNow } from '../../app/now.ts';
import { useNumberText } from '../../app/numbers.ts';
import { get, queries } from '../../app/query.ts';
import { t } from '../../app/words.ts';
import { useTopic } from '../../live/topics.ts';
import { Tag } from '../../parts/badge.tsx';
import { cx } from '../../parts/cx.ts';
import { Page } from '../../parts/page.tsx';
import { Loaded } from '../../parts/states.tsx';
import { Segmented } from '../../parts/tabs.tsx';
import { liveOf, useIsWide, useLiveRun, useVersions } from '../call/followed.ts';
import { Intervening } from '../call/intervening.tsx';
import { withMarks } from '../call/marks.ts';
import { readScript } from '../call/script.ts';
import { isSpoken } from '../call/title.ts';
import { Transcript } from '../call/transcript.tsx';
import { ExtractedValues } from '../call/values.tsx';
import { readGraph } from '../call/version-graph.ts';
import { apiFilters, parseFilters } from '../calls/filters.ts';
import { nameOf } from '../calls/names.ts';
import { type Glance, glanceAt, inOrder, type Sign, type Sort, sorts } from './signs.ts';

type LiveCall = UsageRun;

const route = getRouteApi('/live');
const isLive = apiFilters(parseFilters('status:live').filters, { agents: [], now: new Date(0) });
/** A stream follows at most a hundred topics. */
const maxCalls = 60;
const tellsMs = 1000;
const askMs = 5000;
const list = get('/organizations/usage/runs', {
  query: { limit: maxCalls, ...(isLive.text === undefined ? {} : { filters: isLive.text }) },
});

/** All calls that go on: who is on the line, where they are, what is being said, and what needs a person. */
export function LivePage() {
  const { sort = 'look', only, call: chosen } = route.useSearch();
  const navigate = route.useNavigate();
  const isWide = useIsWide();
  const now = useNow();
  const calls = useLiveCalls();
  const shown = calls.data?.runs ?? [];
  const glances = useGlances(shown, now);
  const needsLook = ({ id }: LiveCall) => (glances.get(id)?.signs.length ?? 0) > 0;
  const kept = shown.filter(
    (call) => only === undefined || (only === 'look' ? needsLook(call) : call.call_type === 'inbound'),
  );
  const opened = isWide ? shown.find(({ id }) => id === chosen) : undefined;
  const chips = [
    { id: undefined, n: shown.length },
    { id: 'look' as const, n: shown.filter(needsLook).length },
    { id: 'inbound' as const, n: shown.filter(({ call_type: type }) => type === 'inbound').length },
  ];
  return (
    <Page title={t('frame.live')} isFlush needs={['people:read']}>
      <div className={cx('wall-page', opened !== undefined && 'has-open')}>
        <section className="wall-side" aria-label={t('frame.live')}>
          <header className="wall-head">
            <p className="t-2" role="status">
              {calls.data !== undefined && t('wall.count', { n: calls.data.total_count })}
            </p>
            <span className="grow" />
            <Segmented<Sort>
              label={t('wall.order')}
              options={sorts.map((id) => ({ id, label: t(`wall.sort.${id}`) }))}
              value={sort}
              onChange={(id) =>
                void navigate({
                  search: (before) => ({ ...before, sort: id === 'look' ? undefined : id }),
                  replace: true,
                })
              }
            />
          </header>
          <div className="wall-chips" role="group" aria-label={t('wall.show')}>
            {chips.map(({ id, n }) => (
              <button
                key={id ?? 'all'}
                type="button"
                className="chip"
                aria-pressed={only === id}
                onClick={() =>
                  void navigate({ search: (before) => ({ ...before, only: id }), replace: true })
                }
              >
                {id === 'look' && <TriangleAlert className="i" aria-hidden size={14} strokeWidth={1.5} />}
                {t(`wall.only.${id ?? 'all'}`)} <span className="text-hint">{count(n)}</span>
              </button>
            ))}
          </div>
          <Loaded query={calls}>
            {() =>
              kept.length === 0 ? (
                <p className="wall-empty">{t(shown.length === 0 ? 'wall.none' : 'wall.noneOfThese')}</p>
              ) : (
                <ul className="wall">
                  {inOrder(kept, sort, needsLook).map((call) => (
                    <li key={call.id}>
                      <Card
                        call={call}
                        glance={glances.get(call.id)}
                        nowMs={now}
                        isOpen={call.id === opened?.id}
                        isWide={isWide}
                      />
                    </li>
                  ))}
                </ul>
              )
            }
          </Loaded>
          {(calls.data?.total_count ?? 0) > shown.length && shown.length > 0 && (
            <p className="wall-empty">{t('wall.more', { n: shown.length })}</p>
          )}
        </section>
        {opened !== undefined && <Opened key={opened.id} call={opened} />}
      </div>
    </Page>
  );
}

/** The live calls. The list is read again when the stream reports a change, else every few seconds. */
function useLiveCalls() {
  const last = useRef(0);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const isTold = useTopic('org', () => {
    clearTimeout(timer.current);
    timer.current = setTimeout(
      () => {
        last.current = performance.now();
        void queries.refetchQueries({ queryKey: list.queryKey, exact: true });
      },
      Math.max(0, last.current + tellsMs - performance.now()),
    );
  });
  useEffect(() => () => clearTimeout(timer.current), []);
  return useQuery({ ...list, refetchInterval: isTold ? askMs * 3 : askMs });
}

/** What the cards say. The words come by the stream; each card asks for them where it does not run. */
function useGlances(calls: readonly LiveCall[], nowMs: number): ReadonlyMap<number, Glance> {
  const known = useQueries({
    queries: calls.map((call) => ({ ...liveOf(call), enabled: false })),
  });
  return new Map(calls.map(({ id }, index) => [id, glanceAt(known[index]?.data, nowMs)]));
}

function Card({
  call,
  glance,
  nowMs,
  isOpen,
  isWide,
}: {
  call: LiveCall;
  glance: Glance | undefined;
  nowMs: number;
  isOpen: boolean;
  isWide: boolean;
}) {
  const search = route.useSearch();
  const numberText = useNumberText();
  const { data } = useLiveRun({ ...call, is_completed: false }, { everyMs: askMs });
  const name = nameOf(call, numberText);
  const node = data?.current_node ?? call.current_node;
  // Before its first turn is over, a call is at no node.
  const before = glance?.last != null ? 'opening' : call.call_type === 'inbound' ? 'answering' : 'ringing';
  const seconds = Math.max(0, (nowMs - Date.parse(call.created_at)) / 1000);
  const content = (
    <>
      <span className="wall-top">
        <b className="cut">{name}</b>
        <Voice glance={glance} />
        <span className="grow" />
        {glance?.signs.slice(0, 1).map((sign) => (
          <SignTag key={sign.kind} sign={sign} />
        ))}
        <span className="num text-ink">{duration(seconds)}</span>
      </span>
      <span className="wall-place">
        <span className="cut">{call.workflow_name ?? call.name}</span>
        <span aria-hidden>›</span>
        <span className="cut">{node ?? t(`wall.${before}`)}</span>
      </span>
      <span className="wall-said">
        {glance?.last == null ? (
          <span className="text-hint">{t('wall.nothingSaid')}</span>
        ) : (
          <>
            <b className={`is-${glance.last.speaker}`}>{t(`call.${glance.last.speaker}`)}</b>{' '}
            {glance.last.text}
          </>
        )}
      </span>
    </>
  );
  return isWide ? (
    <Link
      to="/live"
      search={{ ...search, call: call.id }}
      replace
      className={cx('wall-card', isOpen && 'on')}
      {...(isOpen ? { 'aria-current': 'true' as const } : {})}
    >
      {content}
    </Link>
  ) : (
    <Link
      to="/calls/$agentId/$runId"
      params={{ agentId: String(call.workflow_id), runId: String(call.id) }}
      className="wall-card"
    >
      {content}
    </Link>
  );
}

/** Who speaks now. */
function Voice({ glance }: { glance: Glance | undefined }) {
  if (glance?.last == null || !glance.isSpeaking) return null;
  return (
    <span
      className={`vu is-${glance.last.speaker}`}
      role="img"
      aria-label={t(`wall.speaks.${glance.last.speaker}`)}
    >
      <i />
      <i />
      <i />
      <i />
    </span>
  );
}

const signs = {
  silent: { is: 'warn', icon: Circle },
  repeats: { is: 'warn', icon: RefreshCw },
  toolFailed: { is: 'bad', icon: OctagonAlert },
  paused: { is: 'machine', icon: VolumeX },
} as const;

function SignTag({ sign }: { sign: Sign }) {
  const { is, icon } = signs[sign.kind];
  return (
    <Tag is={is} icon={icon}>
      {sign.kind === 'silent'
        ? t('wall.sign.silent', { time: duration(sign.forMs / 1000) })
        : sign.kind === 'repeats'
          ? t('wall.sign.repeats', { times: sign.times })
          : sign.kind === 'toolFailed'
            ? t('wall.sign.toolFailed', { tool: sign.tool })
            : t('wall.sign.paused')}
    </Tag>
  );
}

/** The call that is open beside the wall: its words, its values, and what can be done with it. */
function Opened({ call }: { call: LiveCall }) {
  const params = { workflow_id: call.workflow_id, run_id: call.id };
  const { data: run } = useQuery(get('/workflow/{workflow_id}/runs/{run_id}', { params }));
  const numberText = useNumberText();
  const name = nameOf(call, numberText);
  return (
    <section className="opened" aria-label={t('wall.opened', { who: name })}>
      <header className="opened-head">
        <h2 className="title cut">{name}</h2>
        <span className="cut text-muted">{call.workflow_name}</span>
        <span className="grow" />
        <Link
          to="/calls/$agentId/$runId"
          params={{ agentId: String(call.workflow_id), runId: String(call.id) }}
          className="btn ghost"
        >
          <ExternalLink className="i" aria-hidden size={16} strokeWidth={1.5} />
          {t('wall.open')}
        </Link>
      </header>
      {run !== undefined && <Words run={run} who={name} />}
    </section>
  );
}

function Words({ run, who }: { run: WorkflowRun; who: string }) {
  const live = useLiveRun(run);
  const versions = useVersions(run);
  const version = versions?.find(({ id }) => id === run.definition_id);
  const graph = useMemo(() => readGraph(version?.workflow_json), [version]);
  const items = useMemo(() => {
    const { events = [], running = [] } = live.data ?? {};
    return withMarks(readScript([...events, ...running], { transitions: graph.edges }), live.data);
  }, [live.data, graph]);
  const end = useRef<HTMLDivElement>(null);
  const { length } = items;
  useEffect(() => {
    if (length > 0) end.current?.scrollIntoView({ block: 'end' });
  }, [length]);
  return (
    <>
      {isSpoken(run) && <Intervening run={run} live={live.data} graph={graph} who={who} />}
      <div className="opened-words">
        <Transcript
          items={items}
          atMs={0}
          isPlaying={false}
          isFollowing={false}
          onFollow={() => undefined}
          onSeek={() => undefined}
          linkTo={() => location.href}
        />
        <div ref={end} />
      </div>
      <section className="opened-values" aria-label={t('call.values')} tabIndex={0}>
        <h3 className="caps">{t('call.values')}</h3>
        <ExtractedValues
          run={{ ...run, gathered_context: live.data?.gathered_context ?? run.gathered_context }}
          graph={graph}
        />
      </section>
    </>
  );
}
