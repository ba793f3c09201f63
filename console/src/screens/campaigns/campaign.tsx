import '../../styles/rooms.css';
import '../../styles/campaigns.css';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { Activity, Ellipsis, Pause, Pencil, Phone, Play, Repeat, Square } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import { targetOutcomes } from '../../../../src/domain/campaign/outcome.ts';
import { count } from '../../app/format.ts';
import { get, queries } from '../../app/query.ts';
import { useKeys } from '../../app/shortcuts.ts';
import { t } from '../../app/words.ts';
import { useTopic } from '../../live/topics.ts';
import { Count, SeverityIcon } from '../../parts/badge.tsx';
import { Button, IconButton } from '../../parts/button.tsx';
import { Card, Facts } from '../../parts/card.tsx';
import { Menu } from '../../parts/menu.tsx';
import { Page } from '../../parts/page.tsx';
import { Failure, Skeleton } from '../../parts/states.tsx';
import { Activity as ActivityCard } from './activity.tsx';
import { ChangeDialog } from './change.tsx';
import { EstimateOfRest } from './estimate.tsx';
import { useExports } from './exports.tsx';
import {
  calledRows,
  type Campaign,
  mayChange,
  outcomesOf,
  type Part,
  partsOf,
  pollMs,
  type Progress,
  standingOf,
  truthOf,
  type Verb,
  verbsOf,
} from './facts.ts';
import { Rows } from './rows.tsx';
import { planned, settingsOf, usualPlan } from './settings.ts';
import { type Asked, VerbDialog } from './verbs.tsx';
import { Why } from './why.tsx';
import {
  breakerText,
  clockText,
  moment,
  outcomeText,
  PartsBar,
  partLook,
  partsText,
  planText,
  say,
  StandingTag,
  weekText,
} from './words.tsx';

const route = getRouteApi('/campaigns/$id');

const keys = {
  s: t('campaigns.key.pause'),
  e: t('campaigns.key.change'),
  '/': t('campaigns.key.rows'),
};

/** One campaign: what it does now, why nobody else is called, its rows, and everything that can be done. */
export function CampaignPage() {
  const { id } = route.useParams();
  const input = { params: { campaign_id: Number(id) } };
  const query = get('/campaign/{campaign_id}/progress', input);
  const isTold = useTopic(`campaign:${id}`, () => void queries.refetchQueries({ queryKey: query.queryKey }));
  const progress = useQuery({
    ...query,
    staleTime: 0,
    refetchInterval: ({ state }) => pollMs(state.data, { isHidden: document.hidden, isTold }),
    refetchIntervalInBackground: true,
  });
  const campaign = useQuery(get('/campaign/{campaign_id}', input));
  const sight = progress.data === undefined ? '' : sightOf(progress.data);
  const isAtRest = progress.data !== undefined && !mayChange(progress.data);
  // What else is known of the campaign changes with these. What is read less often is read once more at the end.
  useEffect(() => {
    if (sight === '') return;
    void queries.invalidateQueries({ queryKey: ['/campaign/{campaign_id}', input] });
    if (isAtRest)
      for (const part of ['rows', 'rows/{row}', 'activity'])
        void queries.invalidateQueries({ queryKey: [`/campaign/{campaign_id}/${part}`] });
    // oxlint-disable-next-line react/exhaustive-deps -- `input` is made of the id
  }, [sight, isAtRest, id]);
  const failed = [campaign, progress].find(({ isError, data }) => isError && data === undefined);
  if (failed !== undefined)
    return (
      <Frame title={t('campaigns.campaign')}>
        <Failure error={failed.error} onRetry={() => void failed.refetch()} />
      </Frame>
    );
  if (campaign.data === undefined || progress.data === undefined)
    return (
      <Frame title={t('campaigns.campaign')}>
        <Skeleton rows={10} />
      </Frame>
    );
  return <ControlRoom campaign={campaign.data} progress={progress.data} isOld={progress.isError} />;
}

/** What changes when something is written in the log. */
const sightOf = ({
  state,
  stop_mode: stop,
  wait_reason: reason,
  rows,
  source_sync: sync,
}: Progress): string => [state, stop, reason, sync.status, rows.processed + rows.failed].join();

function Frame({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Page title={title} room={{ to: '/campaigns', label: t('frame.campaigns') }}>
      {children}
    </Page>
  );
}

function ControlRoom({
  campaign,
  progress,
  isOld,
}: {
  campaign: Campaign;
  progress: Progress;
  isOld: boolean;
}) {
  const [asked, setAsked] = useState<Asked | null>(null);
  // The progress is newer than the campaign.
  const now: Campaign = {
    ...campaign,
    state: progress.state,
    stop_mode: progress.stop_mode,
    wait_reason: progress.wait_reason,
    wait_until: progress.wait_until,
  };
  const verbs = verbsOf(now);
  const standing = standingOf(now);
  const ask = (verb: Asked['verb'], at?: Asked['at']) =>
    setAsked({ verb, ...(at === undefined ? {} : { at }) });
  const hold = verbs.find((verb) => verb === 'pause' || verb === 'resume' || verb === 'start');
  useKeys(keys, {
    s: () => hold !== undefined && ask(hold),
    e: () => verbs.includes('change') && ask('change'),
    '/': () => document.querySelector<HTMLElement>('#rows .filter-line button')?.focus(),
  });
  const exportFile = useExports(campaign);
  return (
    <Page
      title={campaign.name}
      room={{ to: '/campaigns', label: t('frame.campaigns') }}
      needs={['people:read', 'calls:trigger']}
      isFlush
      actions={
        <>
          <Verbs verbs={verbs} onAsk={ask} />
          <Menu
            label={t('campaigns.more')}
            trigger={<IconButton icon={Ellipsis} label={t('campaigns.more')} kind="plain" />}
            entries={[
              ...exportFile.entries,
              null,
              ...(campaign.parent_campaign_id === null
                ? []
                : [exportFile.toCampaign(campaign.parent_campaign_id, 'parent')]),
              ...(campaign.redialed_campaign_id === null
                ? []
                : [exportFile.toCampaign(campaign.redialed_campaign_id, 'redial')]),
            ].filter((entry, index, all) => entry !== null || index < all.length - 1)}
          />
        </>
      }
    >
      <div className="room campaign">
        <header className="campaign-head">
          {/* The bar of a phone has no room for it. */}
          <p className="only-s text-16 text-ink font-semibold">{campaign.name}</p>
          <div className="row wrap">
            <StandingTag of={standing} />
            <span className="text-12 text-muted row wrap">
              <Link to="/agents/$agentId" params={{ agentId: String(campaign.workflow_id) }} className="link">
                {campaign.workflow_name}
              </Link>
              <Link
                to="/contacts/$directoryId"
                params={{ directoryId: String(campaign.directory_id) }}
                className="link"
              >
                {t('campaigns.contacts')}
              </Link>
              <Link to="/calls" search={{ q: `campaign:${campaign.id}` }} className="link">
                {t('campaigns.calls')}
              </Link>
              <TemporalLink workflowId={campaign.temporal_workflow_id} />
            </span>
            <span className="grow" />
            {isOld && <span className="text-12 text-warn-text">{t('campaigns.old')}</span>}
          </div>
          <Truth progress={progress} campaign={now} />
          <EstimateOfRest campaignId={campaign.id} progress={progress} />
        </header>
        {exportFile.failure}
        <Figures progress={progress} lines={campaign.max_concurrency} />
        <div className="campaign-two">
          <Why campaign={now} progress={progress} onAsk={ask} />
          <Outcomes campaign={campaign} progress={progress} />
        </div>
        <ActivityCard campaign={now} />
        <Rows campaign={now} progress={progress} />
        <div className="campaign-two">
          <SettingsCard
            campaign={campaign}
            onChange={verbs.includes('change') ? () => ask('change') : null}
          />
          <Log logs={campaign.logs} />
        </div>
      </div>
      {asked !== null &&
        (asked.verb === 'change' ? (
          <ChangeDialog campaign={campaign} at={asked.at} onClose={() => setAsked(null)} />
        ) : (
          <VerbDialog
            verb={asked.verb}
            campaign={now}
            progress={progress}
            onClose={() => setAsked(null)}
            onAsk={ask}
          />
        ))}
    </Page>
  );
}

const verbLooks = {
  change: { icon: Pencil, kind: 'plain' },
  pause: { icon: Pause, kind: 'plain' },
  resume: { icon: Play, kind: 'primary' },
  start: { icon: Play, kind: 'primary' },
  stop: { icon: Square, kind: 'danger' },
  redial: { icon: Repeat, kind: 'plain' },
} as const;

function Verbs({ verbs, onAsk }: { verbs: readonly Verb[]; onAsk: (verb: Verb) => void }) {
  return (['change', 'redial', 'stop', 'pause', 'resume', 'start'] as const)
    .filter((verb) => verbs.includes(verb))
    .map((verb) => (
      <Button
        key={verb}
        icon={verbLooks[verb].icon}
        kind={verbLooks[verb].kind}
        needs="calls:trigger"
        aria-label={t(`campaigns.do.${verb}`)}
        onPress={() => onAsk(verb)}
      >
        {t(`campaigns.do.${verb}`)}
      </Button>
    ));
}

function TemporalLink({ workflowId }: { workflowId: string }) {
  const { data: health } = useQuery(get('/health', {}));
  if (health?.links.temporal_ui == null) return null;
  return (
    <a
      className="link inline-flex items-center gap-1"
      href={`${health.links.temporal_ui}/${encodeURIComponent(workflowId)}`}
      target="_blank"
      rel="noreferrer"
    >
      <Activity className="i" aria-hidden size={12} strokeWidth={1.5} />
      {t('campaigns.temporal')}
    </a>
  );
}

function Truth({ progress, campaign }: { progress: Progress; campaign: Campaign }) {
  const fault =
    progress.source_sync.error ??
    (progress.state === 'failed' ? campaign.logs.findLast(({ level }) => level === 'error')?.message : null);
  return (
    <p className="campaign-truth">
      {truthOf(progress)
        .map((each) => say(each))
        .filter((each) => each !== '')
        .join(' ')}
      {fault != null && <span className="text-bad-text"> {fault}</span>}
    </p>
  );
}

function Figures({ progress, lines }: { progress: Progress; lines: number | null }) {
  const parts = partsOf(progress);
  const of = (part: Part) => parts.find((each) => each.part === part)?.rows ?? 0;
  const called = calledRows(progress);
  const waiting = of('queued') + of('waiting');
  const share = called === 0 ? 0 : Math.round((of('reached') / called) * 100);
  const { estimated_completion_at: doneAt, completed_at: endedAt, rows } = progress;
  const figures: { id: string; look?: string; value: string; unit?: string; note: string }[] = [
    {
      id: 'reached',
      look: partLook.reached,
      value: count(of('reached')),
      unit: called === 0 ? '' : `${share}%`,
      note: t('campaigns.figure.reachedNote', { rows: called }),
    },
    {
      id: 'calls',
      look: partLook.calls,
      value: count(of('calls')),
      unit: lines === null ? '' : t('campaigns.figure.ofLines', { lines }),
      note: t(
        endedAt !== null
          ? 'campaigns.figure.noCalls'
          : lines === null
            ? 'campaigns.figure.anyLines'
            : 'campaigns.figure.lines',
      ),
    },
    ...(endedAt !== null
      ? []
      : [
          {
            id: 'pace',
            value: count(progress.dials_last_minute),
            unit: t('campaigns.figure.perMinute'),
            note: t('campaigns.figure.paceNote', { most: Math.round(progress.rate_limit * 60) }),
          },
        ]),
    {
      id: 'waiting',
      look: partLook.waiting,
      value: count(waiting),
      note:
        waiting === 0
          ? t('campaigns.figure.nobodyWaits')
          : t('campaigns.figure.waitingNote', { queued: of('queued'), again: of('waiting') }),
    },
    {
      id: 'ended',
      look: partLook.ended,
      value: count(of('ended')),
      note: t('campaigns.figure.endedNote'),
    },
    {
      id: 'failed',
      look: partLook.failed,
      value: count(of('failed')),
      note: t('campaigns.figure.leftOut', { rows: rows.left_out }),
    },
    {
      id: endedAt === null ? 'done' : 'ended_at',
      value: endedAt !== null ? moment(endedAt) : doneAt === null ? '–' : moment(doneAt),
      note:
        endedAt !== null
          ? t('campaigns.figure.startedAt', {
              at: progress.started_at === null ? 'none' : moment(progress.started_at),
            })
          : t(doneAt === null ? 'campaigns.figure.noEstimate' : 'campaigns.figure.estimate'),
    },
  ];
  return (
    <section aria-label={t('campaigns.figures')}>
      <dl className="campaign-figures">
        {figures.map(({ id, look, value, unit = '', note }) => (
          <div key={id} data-figure={id}>
            <dt className="text-12 text-muted">
              {look !== undefined && <i className={`key ${look}`} aria-hidden />}
              {t(`campaigns.figure.${id}`)}
            </dt>
            <dd>
              <span className="row items-baseline gap-1">
                <b className="campaign-number num">{value}</b>
                {unit !== '' && <span className="text-12 text-muted">{unit}</span>}
              </span>
              <span className="text-12 text-muted block">{note}</span>
            </dd>
          </div>
        ))}
      </dl>
      <div className="campaign-bar">
        <PartsBar parts={parts} label={partsText(progress)} />
      </div>
    </section>
  );
}

function Outcomes({ campaign, progress }: { campaign: Campaign; progress: Progress }) {
  const outcomes = outcomesOf(progress);
  const most = outcomes[0]?.rows ?? 1;
  const sum = outcomes.reduce((all, { rows }) => all + rows, 0);
  return (
    <Card
      title={t('campaigns.outcomes')}
      aside={<span className="text-12 text-muted num">{t('campaigns.finishedRows', { rows: sum })}</span>}
    >
      {outcomes.length === 0 ? (
        <p className="text-muted p-4">{t('campaigns.noOutcomes')}</p>
      ) : (
        <ul className="campaign-outcomes">
          {outcomes.map(({ outcome, rows, isReached }) => (
            <li key={outcome}>
              <Link
                to="/campaigns/$id"
                params={{ id: String(campaign.id) }}
                search={{ outcome: targetOutcomes.find((each) => each === outcome) }}
                hash="rows"
                resetScroll={false}
                className="cut"
              >
                {outcomeText(outcome)}
              </Link>
              <span className="meter" aria-hidden>
                <i
                  className={isReached ? 'is-ok' : 'is-machine'}
                  style={{ width: `${(rows / most) * 100}%` }}
                />
              </span>
              <span className="num text-ink">{count(rows)}</span>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

function SettingsCard({ campaign, onChange }: { campaign: Campaign; onChange: (() => void) | null }) {
  const settings = settingsOf(campaign);
  const isOwn = campaign.rules !== null;
  const retry = campaign.retry_config;
  const plans = planned.filter(
    (outcome) => settings.plan[outcome].retries > 0 || usualPlan[outcome].retries > 0,
  );
  return (
    <Card
      title={t('campaigns.settings')}
      aside={
        onChange !== null && (
          <Button size="xs" kind="ghost" icon={Pencil} needs="calls:trigger" onPress={onChange}>
            {t('campaigns.do.change')}
          </Button>
        )
      }
    >
      <div className="campaign-facts">
        <Facts
          rows={[
            [
              t('campaigns.set.hours'),
              settings.isAnyHour
                ? t('campaigns.anyHour')
                : `${weekText(settings.week)} · ${clockText(settings)}`,
            ],
            [
              t('campaigns.set.lines'),
              settings.lines === null ? t('campaigns.linesOfOrganization') : count(settings.lines),
            ],
            [
              t('campaigns.set.connection'),
              campaign.telephony_configuration_name ?? t('campaigns.defaultConnection'),
            ],
            ...(isOwn
              ? [
                  ...plans.map(
                    (outcome) => [outcomeText(outcome), planText(settings.plan[outcome])] as const,
                  ),
                  [
                    t('campaigns.set.caps'),
                    t('campaigns.capsText', {
                      hour: settings.caps.per_hour ?? '∞',
                      day: settings.caps.per_day ?? '∞',
                      week: settings.caps.per_week ?? '∞',
                    }),
                  ] as const,
                  [t('campaigns.set.version'), t(`campaigns.version.${settings.version}`)] as const,
                ]
              : [
                  [
                    t('campaigns.set.plan'),
                    retry.enabled
                      ? t('campaigns.retryConfig', {
                          n: retry.max_retries,
                          seconds: retry.retry_delay_seconds,
                        })
                      : t('campaigns.plan.never'),
                  ] as const,
                ]),
            [t('campaigns.set.breaker'), breakerText(settings)],
          ]}
        />
      </div>
    </Card>
  );
}

const firstEntries = 8;

function Log({ logs }: { logs: Campaign['logs'] }) {
  const [isWhole, setWhole] = useState(false);
  const newest = logs.toReversed();
  const shown = isWhole ? newest : newest.slice(0, firstEntries);
  return (
    <Card
      title={
        <>
          {t('campaigns.log')} <Count of={logs.length} />
        </>
      }
      aside={
        newest.length > firstEntries && (
          <Button size="xs" kind="ghost" onPress={() => setWhole(!isWhole)}>
            {t(isWhole ? 'campaigns.logLess' : 'campaigns.logAll')}
          </Button>
        )
      }
    >
      <ol className="campaign-log">
        {shown.map(({ ts, level, event, message, by }, index) => (
          <li key={`${ts}${event}${index}`}>
            <time className="text-muted text-12 num" dateTime={ts} title={ts}>
              {moment(ts)}
            </time>
            {level === 'info' ? (
              <Phone className="i text-icon" aria-hidden size={14} strokeWidth={1.5} />
            ) : (
              <SeverityIcon is={level === 'error' ? 'bad' : 'warn'} />
            )}
            <span>
              {message}
              {by !== null && <span className="text-muted"> · {by}</span>}
            </span>
          </li>
        ))}
      </ol>
    </Card>
  );
}
