import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import type { AnswerOf } from '../../../../src/contract/client-types.ts';
import { ApiError, call } from '../../app/api.ts';
import { nowMs } from '../../app/clock.ts';
import { count, percent } from '../../app/format.ts';
import { get } from '../../app/query.ts';
import { hasWords, t } from '../../app/words.ts';
import { standingOf, type Progress } from './facts.ts';
import { rulesOf, scheduleOf, type Settings } from './settings.ts';
import { moment } from './words.tsx';

export type Estimate = AnswerOf<'get', '/campaign/{campaign_id}/estimate'>;

/** A person who types or drags has stopped for a moment. */
const debounceMs = 400;
/** Hours open and close while the page is open. */
const renewMs = 60_000;

/** The estimate of the settings of a new campaign. While it is asked for anew, the last one stays. */
export function useEstimate({
  fileKey,
  agentId,
  connectionId,
  settings,
}: {
  fileKey: string | undefined;
  agentId: number | null;
  connectionId: number | null;
  settings: Settings;
}) {
  const body = {
    source_id: fileKey ?? '',
    workflow_id: agentId,
    telephony_configuration_id: connectionId,
    max_concurrency: settings.lines,
    schedule_config: scheduleOf(settings),
    rules: rulesOf(settings),
  };
  const asked = useSettled(JSON.stringify(body));
  return useQuery({
    queryKey: ['/campaign/estimate', asked],
    queryFn: async ({ signal }) =>
      (await call('post', '/campaign/estimate', { body: JSON.parse(asked) as typeof body, signal })).body,
    enabled: fileKey !== undefined && (JSON.parse(asked) as typeof body).source_id === fileKey,
    placeholderData: keepPreviousData,
    refetchInterval: renewMs,
  });
}

/** A text that no longer changes. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), debounceMs);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}

/** `3 h 40 min`. */
export function spanText(seconds: number): string {
  const minutes = Math.round(seconds / 60);
  if (minutes < 1) return t('campaigns.span.soon');
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  // Nobody plans minutes of a day.
  if (hours >= 10) return t('campaigns.span.hours', { hours: Math.round(minutes / 60) });
  if (hours === 0) return t('campaigns.span.minutes', { minutes });
  return rest === 0
    ? t('campaigns.span.hours', { hours })
    : t('campaigns.span.both', { hours, minutes: rest });
}

const shownZones = 4;

/** What the summary of a new campaign says of its time, in which zones, and what it assumes. */
export function EstimateOfNew({
  query,
  hasFile,
}: {
  query: ReturnType<typeof useEstimate>;
  hasFile: boolean;
}) {
  const { data, error, isFetching, isPlaceholderData } = query;
  if (error !== null)
    return (
      <p className="text-muted text-12" role="status">
        {t('campaigns.estimate.failed', { why: error instanceof ApiError ? error.message : '' })}
      </p>
    );
  if (data === undefined)
    return (
      <p className="text-muted text-12" role="status">
        {t(hasFile ? 'campaigns.estimate.counting' : 'campaigns.estimate.noFile')}
      </p>
    );
  const isOld = isFetching && isPlaceholderData;
  return (
    <div className="grid gap-3" aria-busy={isOld}>
      <p className={`campaign-estimate${isOld ? ' is-old' : ''}`} role="status">
        {sentenceOf(data)}
      </p>
      <Zones estimate={data} />
      <ul className="estimate-notes">
        {notesOf(data).map((note) => (
          <li key={note}>{note}</li>
        ))}
      </ul>
    </div>
  );
}

/** How long, and when everybody was called once; or why that cannot be said. */
export function sentenceOf(estimate: Estimate, isRest = false): string {
  const {
    unknown_because: why,
    all_called_at: doneAt,
    begins_at: beginsAt,
    dialing_seconds: seconds,
  } = estimate;
  if (why !== null || doneAt === null)
    return hasWords(`campaigns.estimate.why.${why}`) ? t(`campaigns.estimate.why.${why}`) : '';
  const isLater = beginsAt !== null && new Date(beginsAt).getTime() - nowMs() > 90_000;
  return [
    ...(isLater ? [t('campaigns.estimate.begins', { at: moment(beginsAt) })] : []),
    doneText(estimate, { isRest, doneAt, span: spanText(seconds) }),
  ].join(' ');
}

/** By when, or between which moments: as many or as few may answer as lately. */
function doneText(
  { earliest_at: earliest, latest_at: latest }: Estimate,
  { isRest, doneAt, span }: { isRest: boolean; doneAt: string; span: string },
): string {
  const [from, to] = [moment(earliest ?? doneAt), moment(latest ?? doneAt)];
  return from === to
    ? t(isRest ? 'campaigns.estimate.doneRest' : 'campaigns.estimate.done', { span, at: to })
    : t(isRest ? 'campaigns.estimate.bandRest' : 'campaigns.estimate.band', { span, from, to });
}

/** What limits it, who is left out, and what it assumes. */
export function notesOf(estimate: Estimate): readonly string[] {
  const { lines, lines_limited_by: by, suppressed, recently_called: called, never_called: never } = estimate;
  const { answered_share: share, answered_seconds: seconds, calls } = estimate.assumptions;
  return [
    ...(lines === 0 ? [] : [t(`campaigns.estimate.by.${by}`, { lines })]),
    ...(suppressed === 0 ? [] : [t('campaigns.estimate.suppressed', { n: suppressed })]),
    ...(called === 0 ? [] : [t('campaigns.estimate.recentlyCalled', { n: called })]),
    ...(never === 0 ? [] : [t('campaigns.estimate.never', { n: never })]),
    t(calls === 0 ? 'campaigns.estimate.assumed' : 'campaigns.estimate.measured', {
      calls,
      share: percent(share),
      seconds: Math.round(seconds),
    }),
  ];
}

function Zones({ estimate: { zones } }: { estimate: Estimate }) {
  if (zones.length < 2) return null;
  const rest = zones.slice(shownZones);
  const others = rest.reduce((sum, { rows }) => sum + rows, 0);
  return (
    <ul className="estimate-zones" aria-label={t('campaigns.estimate.zones')}>
      {zones
        .slice(0, shownZones)
        .map(({ time_zones: names, rows, is_open: isOpen, opens_at: opensAt, closes_at: closesAt }) => (
          <li key={names.join()}>
            <i className={`key ${isOpen ? 'is-open' : 'is-wait'}`} aria-hidden />
            <span className="cut" title={names.join(', ')}>
              {zoneText(names)}
            </span>
            <span className="num text-ink">{count(rows)}</span>
            <span className="text-12 text-muted">
              {isOpen
                ? closesAt === null
                  ? t('campaigns.estimate.open')
                  : t('campaigns.estimate.openUntil', { at: moment(closesAt) })
                : opensAt === null
                  ? t('campaigns.estimate.neverOpens')
                  : t('campaigns.estimate.opens', { at: moment(opensAt) })}
            </span>
          </li>
        ))}
      {rest.length > 0 && (
        <li>
          <span />
          <span>{t('campaigns.estimate.otherZones', { n: rest.length })}</span>
          <span className="num text-ink">{count(others)}</span>
          <span />
        </li>
      )}
    </ul>
  );
}

/** `New York`, `New York and 5 others`. */
export function zoneText(names: readonly string[]): string {
  const [first = '', ...others] = names;
  const city = first.slice(first.lastIndexOf('/') + 1).replaceAll('_', ' ');
  return others.length === 0 ? city : t('campaigns.estimate.cities', { city, n: others.length });
}

const renewRestMs = 15_000;

/** The estimate of what is left of a campaign, in its control room. */
export function EstimateOfRest({
  campaignId,
  progress,
}: {
  campaignId: number;
  progress: Progress;
}): ReactNode {
  const standing = standingOf(progress);
  const isOn = ['created', 'syncing', 'running', 'paused', 'tripped'].includes(standing);
  const { data } = useQuery({
    ...get('/campaign/{campaign_id}/estimate', { params: { campaign_id: campaignId } }),
    enabled: isOn,
    refetchInterval: renewRestMs,
    placeholderData: keepPreviousData,
  });
  const { queued, waiting } = progress.rows;
  // The progress is newer than the estimate, but has only rows that are read.
  const rows = progress.source_sync.status === 'completed' ? queued + waiting : (data?.rows ?? null);
  if (!isOn || data === undefined || rows === 0) return null;
  const words = sentenceOf(data, standing !== 'created');
  const when =
    standing === 'created' ? 'start' : standing === 'paused' || standing === 'tripped' ? 'resume' : 'now';
  return (
    <p className="campaign-rest text-muted" title={notesOf(data).join('\n')}>
      {rows === null ? words : t(`campaigns.estimate.left.${when}`, { n: rows, words })}
    </p>
  );
}
