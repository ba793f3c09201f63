import '../../styles/calls.css';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { Activity, ChevronRight, ExternalLink, Eye, Megaphone, Phone, Radio, Workflow } from 'lucide-react';
import { useMemo, useState } from 'react';
import type { WorkflowRun } from '../../../../src/contract/calls.ts';
import { nowMs } from '../../app/clock.ts';
import { count, date, duration, seconds, timeOfDay } from '../../app/format.ts';
import { get } from '../../app/query.ts';
import { outcomeWords } from '../../app/outcome-words.ts';
import { useKeys } from '../../app/shortcuts.ts';
import { may } from '../../app/may.ts';
import { t } from '../../app/words.ts';
import { Simulated, Tag } from '../../parts/badge.tsx';
import { CopyButton } from '../../parts/copy-button.tsx';
import { GraphPicture } from '../../parts/graph-picture.tsx';
import { Phone as PhoneNumber } from '../../parts/phone.tsx';
import { Page } from '../../parts/page.tsx';
import { Loaded } from '../../parts/states.tsx';
import { Tabs, type TabEntry } from '../../parts/tabs.tsx';
import { formatFilters } from '../calls/filters.ts';
import { nameOf } from '../calls/names.ts';
import { ChannelIcon, Flags, Outcome } from '../calls/outcome.tsx';
import { toggleNumbers, useNumbersShown, useNumberText } from '../../app/numbers.ts';
import { ErasedBanner, erasedOn, type Erasing, MoreMenu, useErasing } from './erasing.tsx';
import {
  channelOf,
  costText,
  extractedOf,
  flagsOf,
  isFailure,
  type Judgment,
  judgmentsIn,
  numberOf,
} from './facts.ts';
import { useCampaignPlace } from './campaign-place.ts';
import { useIsWide, useLiveRun, useVersions } from './followed.ts';
import { Intervening } from './intervening.tsx';
import { isJudging, JudgeAgain } from './judging.tsx';
import { withMarks } from './marks.ts';
import { Deck, type Track, usePlayer, useSound } from './player.tsx';
import { PrintedCall, useIsPrinting } from './printed.tsx';
import {
  answeredAt,
  type CallScript,
  eventsIn,
  momentText,
  readScript,
  slowLatency,
  type SpokenLine,
  wasInterrupted,
} from './script.ts';
import { type CallTab, callTabs } from './search.ts';
import { isSpoken, titleOf } from './title.ts';
import { Transcript } from './transcript.tsx';
import { ExtractedValues, Values } from './values.tsx';
import { readGraph, type VersionGraph } from './version-graph.ts';
import { deliveriesOf, Folded, Webhooks } from './webhooks.tsx';

const route = getRouteApi('/calls/$agentId/$runId');
const liveMs = 2000;
/** Recordings and judgments appear shortly after the end of a call. */
const soonMs = 3000;
const maxWaitMs = 180_000;

const callKeys = {
  Space: t('call.key.play'),
  ',': t('call.previousTurn'),
  '.': t('call.nextTurn'),
  ArrowLeft: t('call.key.back', { seconds: 1 }),
  ArrowRight: t('call.key.forward', { seconds: 1 }),
  'Shift+ArrowLeft': t('call.key.back', { seconds: 5 }),
  'Shift+ArrowRight': t('call.key.forward', { seconds: 5 }),
};

/** One call: what was said, learned, sent and judged. */
export function CallPage() {
  const { agentId, runId } = route.useParams();
  const params = { workflow_id: Number(agentId), run_id: Number(runId) };
  const query = useQuery({
    ...get('/workflow/{workflow_id}/runs/{run_id}', { params }),
    refetchInterval: ({ state: { data } }) =>
      data === undefined
        ? false
        : !data.is_completed || isJudging(data)
          ? liveMs
          : hasJustEnded(data)
            ? soonMs
            : false,
  });
  return (
    <>
      {query.data === undefined ? (
        <Page title={t('call.title')} room={{ to: '/calls', label: t('frame.calls') }}>
          <Loaded query={query}>{() => null}</Loaded>
        </Page>
      ) : (
        <Call key={query.data.id} run={query.data} />
      )}
    </>
  );
}

/** The recording, judgments and webhooks of a call that has just ended are on their way. */
function hasJustEnded(run: WorkflowRun): boolean {
  const endedAt = Date.parse(run.created_at) + (run.call_duration_seconds ?? 0) * 1000;
  return nowMs() - endedAt < maxWaitMs;
}

function Call({ run }: { run: WorkflowRun }) {
  const { t: second = 0, tab = 'transcript' } = route.useSearch();
  const navigate = route.useNavigate();
  const isWide = useIsWide();
  const numberText = useNumberText();
  const [track, setTrack] = useState<Track>('both');
  const [isFollowing, setFollowing] = useState(true);

  const versions = useVersions(run);
  const version = versions?.find(({ id }) => id === run.definition_id);
  const graph = useMemo(() => readGraph(version?.workflow_json), [version]);
  const live = useLiveRun(run);
  const script = useMemo(() => {
    const { events = [], running = [] } = live.data ?? {};
    const ended = eventsIn(run.logs);
    return readScript(run.is_completed ? ended : [...events, ...running], {
      transitions: graph.edges,
      beganAt: answeredAt(run.logs),
    });
  }, [run.is_completed, run.logs, live.data, graph]);
  const deliveries = useQuery(deliveriesOf(run.id, !run.is_completed || hasJustEnded(run)));
  const judgments = judgmentsIn(run.annotations, script.path);
  const erasing = useErasing(run);

  const keys: Record<Track, string | null> = {
    both: run.recording_url,
    caller: run.user_recording_url,
    agent: run.bot_recording_url,
  };
  const src = useSound(keys[track]);
  const player = usePlayer({
    src,
    lengthMs: script.lengthMs,
    beginAt: second * 1000,
  });

  const linkTo = (atMs: number) => {
    const url = new URL(location.href);
    url.searchParams.set('t', String(momentText(atMs)));
    return url.href;
  };
  const seek = (line: SpokenLine) => {
    setFollowing(true);
    player.seek(line.at);
    void navigate({ search: (now) => ({ ...now, t: momentText(line.at) }), replace: true });
  };
  const turn = (by: 1 | -1) => {
    const lines = script.items.filter((item) => item.kind === 'line');
    const next =
      by === 1
        ? lines.find(({ at }) => at > player.atMs + 100)
        : lines.findLast(({ at }) => at < player.atMs - 1000);
    if (next !== undefined) seek(next);
  };
  const forward = (ms: number) => player.seek(Math.min(player.lengthMs, player.atMs + ms));
  useKeys(callKeys, {
    Space: player.toggle,
    ',': () => turn(-1),
    '.': () => turn(1),
    ArrowLeft: () => forward(-1000),
    ArrowRight: () => forward(1000),
    'Shift+ArrowLeft': () => forward(-5000),
    'Shift+ArrowRight': () => forward(5000),
  });

  const items = withMarks(script, live.data);
  const transcript = (
    <div className="script-pane">
      <TranscriptNotes run={run} script={script} />
      <Transcript
        items={items}
        atMs={player.atMs}
        isPlaying={player.isPlaying}
        isFollowing={isFollowing}
        onFollow={setFollowing}
        onSeek={seek}
        linkTo={linkTo}
      />
    </div>
  );
  const path = <PathPicture run={run} graph={graph} script={script} />;
  const entries: Record<CallTab, Omit<TabEntry, 'id'>> = {
    transcript: { label: t('call.transcript'), content: transcript },
    values: {
      label: t('call.tab.values'),
      count: Object.keys(extractedOf(run)).length,
      content: <Values run={run} graph={graph} />,
    },
    path: { label: t('call.path'), content: <div className="p-4">{path}</div> },
    webhooks: {
      label: t('call.webhooks'),
      ...(deliveries.data === undefined ? {} : { count: deliveries.data.items.length }),
      content: (
        <Loaded query={deliveries}>
          {({ items: sent }) => <Webhooks deliveries={sent} names={graph.names} isEnded={run.is_completed} />}
        </Loaded>
      ),
    },
    quality: {
      label: t('call.quality'),
      count: judgments.length,
      content: (
        <>
          <JudgeAgain run={run} versions={versions} />
          <Judgments run={run} judgments={judgments} />
        </>
      ),
    },
    raw: { label: t('call.raw'), content: <Raw run={run} /> },
  };
  const tabs = callTabs.filter((each) => !isWide || each !== 'path');
  const name = nameOf(run, numberText);
  const isPrinting = useIsPrinting();
  return (
    <Page
      title={name}
      heading={<b className="cut">{name}</b>}
      room={{ to: '/calls', label: t('frame.calls') }}
      isFlush
      needs={['people:read']}
    >
      <div className="call">
        <Head
          run={run}
          version={version?.version_number ?? null}
          script={script}
          judgments={judgments}
          erasing={erasing}
        />
        <ErasedBanner run={run} erasing={erasing} />
        <FaultBanner run={run} script={script} />
        {run.state === 'running' && isSpoken(run) && (
          <Intervening run={run} live={live.data} graph={graph} who={name} />
        )}
        {keys.both !== null && (
          <Deck
            player={player}
            items={script.items}
            track={track}
            tracks={(['both', 'caller', 'agent'] as const).filter((each) => keys[each] !== null)}
            onTrack={setTrack}
            onTurn={turn}
          >
            <span className="hide-s">
              <CopyButton
                text={linkTo(player.atMs)}
                label={t('call.copyLinkAt', { at: duration(player.atMs / 1000) })}
              />
            </span>
          </Deck>
        )}
        {player.hasFailed && (
          <p role="alert" className="call-note text-bad-text">
            {t('call.soundFailed')}
          </p>
        )}
        <div className="panes">
          <div className="pane">
            <Tabs
              label={t('call.title')}
              entries={tabs.map((id) => ({ id, ...entries[id] }))}
              selected={tabs.includes(tab) ? tab : 'transcript'}
              onSelect={(id) =>
                void navigate({
                  search: (now) => ({ ...now, tab: callTabs.find((each) => each === id) }),
                  replace: true,
                })
              }
            />
          </div>
          {isWide && (
            <aside className="pane insp" aria-label={t('call.learned')}>
              {tab !== 'values' && (
                <>
                  <h2 className="caps">{t('call.values')}</h2>
                  <ExtractedValues run={run} graph={graph} />
                </>
              )}
              <h2 className="caps">{t('call.path')}</h2>
              {path}
            </aside>
          )}
        </div>
      </div>
      {isPrinting && (
        <PrintedCall
          run={run}
          version={version?.version_number ?? null}
          items={items}
          deliveries={deliveries.data?.items ?? []}
          names={graph.names}
          isSimulated={isSimulated(run)}
        />
      )}
    </Page>
  );
}

function Head({
  run,
  version,
  script,
  judgments,
  erasing,
}: {
  run: WorkflowRun;
  version: number | null;
  script: CallScript;
  judgments: readonly Judgment[];
  erasing: Erasing;
}) {
  const { data: agents } = useQuery(get('/organizations/reports/workflows', {}));
  const { data: health } = useQuery(get('/health', {}));
  const numberText = useNumberText();
  const areShown = useNumbersShown();
  const agent = agents?.find(({ id }) => id === run.workflow_id)?.name ?? t('calls.agent');
  const number = numberOf(run);
  const began = new Date(run.created_at);
  const cost = run.cost_info?.['charge_usd'];
  const trace = run.gathered_context?.['trace_url'];
  const slow = slowLatency(script.items);
  const score = judgments.find((each) => each.score !== null)?.score;
  const title = titleOf(run, nameOf(run, numberText));
  const length = run.call_duration_seconds ?? 0;
  return (
    <header className="call-h">
      <div className="flex items-center gap-2 sm:flex-wrap">
        <h1 className="title">{title}</h1>
        {isSimulated(run) && <Simulated />}
        <span className="grow" />
        {/* The histories of an erased call are gone. */}
        {health?.links.temporal_ui != null && run.transcript_erased_at === null && (
          <a
            className="btn ghost"
            aria-label={t('call.temporal')}
            href={`${health.links.temporal_ui}/${encodeURIComponent(run.temporal_workflow_id)}`}
            target="_blank"
            rel="noreferrer"
          >
            <Activity className="i" aria-hidden size={16} strokeWidth={1.5} />
            <span className="hide-s">{t('call.temporal')}</span>
          </a>
        )}
        {typeof trace === 'string' && (
          <a className="btn ghost" aria-label={t('call.trace')} href={trace} target="_blank" rel="noreferrer">
            <ExternalLink className="i" aria-hidden size={16} strokeWidth={1.5} />
            <span className="hide-s">{t('call.trace')}</span>
          </a>
        )}
        <MoreMenu run={run} erasing={erasing} />
      </div>
      <div className="call-facts">
        {!run.is_completed && (
          <Tag is="ok" icon={Radio}>
            {t(run.state === 'initialized' ? 'call.notBegun' : 'calls.status.live')}
          </Tag>
        )}
        {run.disposition !== null && <Outcome code={run.disposition} />}
        {/* The title says the others. */}
        <Flags
          of={flagsOf({ ...run, was_interrupted: wasInterrupted(script) }).filter(
            (flag) => flag !== 'failed' && flag !== 'notConnected',
          )}
          areInWords
        />
        <span>
          <ChannelIcon mode={run.mode} isInbound={run.call_type === 'inbound'} />
          {t(`calls.channel.${channelOf(run.mode)}`)}
        </span>
        {number !== null && (
          <span>
            <Phone className="i" aria-hidden size={14} strokeWidth={1.5} />
            <PhoneNumber number={number} />
            <button
              type="button"
              className="eye"
              aria-pressed={areShown}
              aria-label={t(areShown ? 'calls.maskNumbers' : 'calls.showNumbers')}
              onClick={toggleNumbers}
            >
              <Eye className="i" aria-hidden size={14} strokeWidth={1.5} />
            </button>
          </span>
        )}
        <Link to="/calls" search={{ q: formatFilters([{ field: 'agent', value: agent }]) }}>
          <Workflow className="i" aria-hidden size={14} strokeWidth={1.5} />
          <b>{agent}</b>
          {version !== null && ` v${version}`}
        </Link>
        {run.campaign_id !== null && <CampaignLinks run={run} id={run.campaign_id} />}
        <time dateTime={run.created_at} title={began.toISOString()}>
          {date(began)}, {timeOfDay(began)}
        </time>
        {length > 0 && !title.includes(duration(length)) && <b>{duration(length)}</b>}
        {slow !== null && (
          <span title={t('call.latency')}>
            {t('calls.p95')} <b>{seconds(slow)}</b>
          </span>
        )}
        {score != null && (
          <span>
            {t('calls.qa')} <b>{score}</b>
          </span>
        )}
        {typeof cost === 'number' && <b title={t('calls.cost')}>{costText(cost)}</b>}
        <span className="mono">{run.name}</span>
      </div>
    </header>
  );
}

/** The campaign of a call, its row there, and which attempt at the row it was. */
function CampaignLinks({ run, id }: { run: WorkflowRun; id: number }) {
  const { name, row, attempt } = useCampaignPlace(run, id);
  const params = { id: String(id) };
  return (
    <span className="campaign-place">
      <Link to="/campaigns/$id" params={params}>
        <Megaphone className="i" aria-hidden size={14} strokeWidth={1.5} />
        {name}
      </Link>
      {row !== null && (
        <>
          <ChevronRight className="i" aria-hidden size={12} />
          <Link to="/campaigns/$id" params={params} search={{ row }}>
            {t('call.row', { row })}
          </Link>
        </>
      )}
      {attempt !== null && (
        <>
          <ChevronRight className="i" aria-hidden size={12} />
          <span>{t('call.attemptOf', { attempt })}</span>
        </>
      )}
    </span>
  );
}

/** Whether a stand-in thought, spoke, listened or dialed. */
function isSimulated({ initial_context: values, usage_info: usage }: WorkflowRun): boolean {
  const used = values?.['runtime_configuration'];
  return JSON.stringify([used ?? null, Object.values(usage ?? {})]).includes('"simulated');
}

function FaultBanner({ run, script }: { run: WorkflowRun; script: CallScript }) {
  const said = run.gathered_context?.['error'];
  const fatal = script.items.find((item) => item.kind === 'fault' && item.isFatal);
  const outcome = run.disposition ?? '';
  if (!isFailure(outcome)) return null;
  const why = typeof said === 'string' ? said : fatal?.kind === 'fault' ? fatal.what : outcomeWords(outcome);
  return (
    <div role="status" className="banner is-bad">
      {t('call.failedWhy', { why })}
    </div>
  );
}

/** Why words or sound are missing. */
function TranscriptNotes({ run, script }: { run: WorkflowRun; script: CallScript }) {
  if (!may('people:read'))
    return (
      <div className="call-note">
        <p>{t('call.wordsMasked')}</p>
      </div>
    );
  const notes: string[] = [];
  if (run.transcript_erased_at !== null)
    notes.push(erasedOn('call.transcriptErased', run.transcript_erased_at));
  else if (script.items.length === 0) {
    const isOver = run.is_completed;
    if (isOver) notes.push(t('calls.noWords'));
    else notes.push(t(run.state === 'initialized' ? 'call.notBegunWhy' : 'calls.wordsLater'));
  }
  if (isSpoken(run) && run.is_completed && run.recording_url === null) {
    const isKept = run.transcript_erased_at === null;
    if (isKept && hasJustEnded(run) && (run.call_duration_seconds ?? 0) > 0)
      notes.push(t('call.recordingSoon'));
    else if ((run.call_duration_seconds ?? 0) > 0) notes.push(t('call.noRecording'));
  } else if (run.recording_url !== null && answeredAt(run.logs) === null && script.items.length > 0)
    notes.push(t('call.approximate'));
  if (notes.length === 0) return null;
  return (
    <div className="call-note grid gap-1">
      {notes.map((note) => (
        <p key={note}>{note}</p>
      ))}
    </div>
  );
}

function PathPicture({ run, graph, script }: { run: WorkflowRun; graph: VersionGraph; script: CallScript }) {
  const visited = run.gathered_context?.['nodes_visited'];
  const path =
    script.path.length > 0
      ? script.path
      : (Array.isArray(visited) ? visited : []).flatMap(
          (name) => graph.nodes.find(({ label }) => label === name)?.id ?? [],
        );
  if (graph.nodes.length === 0) return <p className="text-muted">{t('call.noGraph')}</p>;
  const names = path.map((id) => graph.names.get(id) ?? id);
  return (
    <div className="path-picture">
      <GraphPicture
        isLabelled
        label={
          names.length > 0
            ? t('call.pathOf', { nodes: names.join(', ') })
            : t(run.transcript_erased_at === null ? 'call.pathNone' : 'call.pathErased')
        }
        nodes={graph.nodes}
        edges={graph.edges}
        path={path}
        activeId={run.is_completed ? undefined : path.at(-1)}
      />
    </div>
  );
}

function Judgments({ run, judgments }: { run: WorkflowRun; judgments: readonly Judgment[] }) {
  if (run.variables_erased_at !== null)
    return <p className="call-note">{erasedOn('call.judgmentsErased', run.variables_erased_at)}</p>;
  if (judgments.length === 0)
    return <p className="call-note">{t(run.is_completed ? 'call.noJudgments' : 'call.judgmentsLater')}</p>;
  return (
    <div className="grid gap-3 p-4">
      {judgments.map(({ key, score, tags, model, isSimulated: isStandIn, reason, isFault, nodes }) => (
        <section key={key} className="card judged" aria-label={key}>
          <header>
            <h3 className="text-20 text-ink font-semibold">
              {score ?? '–'}
              <span className="text-13 text-muted font-normal"> {t('call.ofTen')}</span>
            </h3>
            {isStandIn && <Simulated />}
            {tags.map((tag) => (
              <Tag key={tag} is="machine">
                {tag}
              </Tag>
            ))}
            <span className="grow" />
            {model !== null && <span className="mono text-12 text-muted">{model}</span>}
          </header>
          {reason !== null && (
            <p className={isFault ? 'text-bad-text' : 'text-muted'}>
              {t(isFault ? 'call.judgmentFailed' : 'call.judgmentSkipped', { reason })}
            </p>
          )}
          <ul>
            {nodes.map((node) => (
              <li key={node.id}>
                <b>{node.score ?? '–'}</b>
                <span className="text-ink font-medium">{node.name}</span>
                {node.sentiment !== null && <span className="text-12 text-muted">{node.sentiment}</span>}
                <p className="text-muted">{node.summary}</p>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}

function Raw({ run }: { run: WorkflowRun }) {
  const text = JSON.stringify(run, null, 2);
  const parts = (
    ['initial_context', 'gathered_context', 'annotations', 'usage_info', 'cost_info'] as const
  ).filter((part) => run[part] !== null && Object.keys(run[part]).length > 0);
  return (
    <div className="grid gap-3 p-4">
      <div className="flex flex-wrap items-center gap-2">
        <CopyButton text={text} label={t('call.copyRecord')} />
        <CopyButton text={run.call_id} label={t('call.copyId')} />
        <span className="text-12 text-muted">{t('call.rawSize', { size: count(text.length) })}</span>
      </div>
      {parts.map((part) => (
        <Folded key={part} label={part} text={JSON.stringify(run[part], null, 2)} />
      ))}
      <Folded label={t('call.record')} text={text} />
    </div>
  );
}
