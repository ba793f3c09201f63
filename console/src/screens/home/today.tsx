import { Link } from '@tanstack/react-router';
import { useQuery } from '@tanstack/react-query';
import { count, ownZone as timezone, seconds } from '../../app/format.ts';
import { useNow } from '../../app/now.ts';
import { outcomeWords } from '../../app/outcome-words.ts';
import { get } from '../../app/query.ts';
import { t } from '../../app/words.ts';
import { Tag } from '../../parts/badge.tsx';
import { Card } from '../../parts/card.tsx';
import { Failure, Skeleton } from '../../parts/states.tsx';
import { cx } from '../../parts/cx.ts';
import { formatFilters } from '../calls/filters.ts';
import {
  dayOf,
  faultDispositions,
  type Hour,
  hourFilters,
  hoursOf,
  latenciesOf,
  niceTop,
  type Outcome,
  outcomesOf,
} from './figures.ts';

/** A list of a day is read whole; above this it is not read to draw a picture. */
const maxRunsRead = 5000;
const maxAgents = 6;

/**
 * Today's calls by the hour, their outcomes beside yesterday's, and how fast the agents answer. A day is that of the person
 * who looks, as in the lists that the figures open.
 */
export function Today() {
  const now = new Date(useNow(60_000));
  const [date, before] = [dayOf(now, timezone), dayOf(now, timezone, 1)];
  const report = useQuery({
    ...get('/organizations/reports/calls', { query: { from: before, to: date, timezone } }),
    refetchInterval: 30_000,
  });
  const [yesterday, today] = [before, date].map((day) => report.data?.groups.find(({ key }) => key === day));
  const agents = useQuery(get('/workflow/overview', { query: { status: 'active', limit: 500 } }));
  const runsOf = (day: string, total: number | undefined) => ({
    ...get('/organizations/reports/daily/runs', { query: { date: day, timezone } }),
    enabled: total !== undefined && total > 0 && total <= maxRunsRead,
  });
  const total = today?.calls;
  const runs = useQuery({ ...runsOf(date, total), refetchInterval: 30_000 });
  const runsBefore = useQuery(runsOf(before, yesterday?.calls));
  const failed = [report, agents, runs].find((each) => each.isError && each.data === undefined);
  if (failed !== undefined)
    return (
      <Card title={t('home.today')}>
        <Failure error={failed.error} onRetry={() => void failed.refetch()} />
      </Card>
    );
  return (
    <section className="today">
      <Card
        title={
          <>
            {t('home.today')}
            {total !== undefined && (
              <Link to="/calls" search={{ q: 'date:today' }} className="t-2 text-13 font-normal">
                <b className="med ink">{count(total)}</b> {t('home.calls', { n: total })}
              </Link>
            )}
          </>
        }
        aside={total !== 0 && <Legend hasBefore={runsBefore.data !== undefined} />}
      >
        {total === undefined ? (
          <Skeleton rows={4} />
        ) : total === 0 ? (
          <p className="quiet">{t('home.noCallsToday')}</p>
        ) : total > maxRunsRead ? (
          <p className="quiet">{t('home.tooMany')}</p>
        ) : runs.data === undefined ? (
          <Skeleton rows={4} />
        ) : (
          <Hours
            day={date}
            hours={hoursOf(runs.data, timezone)}
            before={runsBefore.data === undefined ? null : hoursOf(runsBefore.data, timezone)}
          />
        )}
      </Card>
      <Card
        title={t('home.outcomes')}
        aside={
          (yesterday?.calls ?? 0) > 0 && (
            <span className="small t-2 hide-s">{t('home.againstYesterday')}</span>
          )
        }
      >
        {today === undefined ? (
          <Skeleton rows={4} />
        ) : (
          <Outcomes outcomes={outcomesOf(today, yesterday, runs.data)} />
        )}
      </Card>
      <Card title={t('home.latency')}>
        {agents.data === undefined || report.data === undefined ? (
          <Skeleton rows={4} />
        ) : (
          <>
            {today?.latency_p50_ms != null && (
              <Median nowMs={today.latency_p50_ms} beforeMs={yesterday?.latency_p50_ms ?? null} />
            )}
            <Latencies rows={latenciesOf(agents.data.items).slice(0, maxAgents)} />
          </>
        )}
      </Card>
    </section>
  );
}

function Legend({ hasBefore }: { hasBefore: boolean }) {
  return (
    <span className="legend small t-2">
      <span>
        <i className="sq is-in" aria-hidden />
        {t('home.reached')}
      </span>
      <span>
        <i className="sq" aria-hidden />
        {t('home.notReached')}
      </span>
      {hasBefore && (
        <span className="hide-s">
          <i className="ln2" aria-hidden />
          {t('home.yesterday')}
        </span>
      )}
    </span>
  );
}

const [width, height, left] = [444, 172, 30];

function Hours({
  day,
  hours,
  before,
}: {
  day: string;
  hours: readonly Hour[];
  before: readonly Hour[] | null;
}) {
  const totals = [...hours, ...(before ?? [])].map(({ reached, notReached }) => reached + notReached);
  const top = niceTop(Math.max(...totals));
  const y = (calls: number) => height - (calls / top) * (height - 16);
  const slot = (width - left) / 24;
  return (
    <figure className="m-0">
      <svg
        className="hours"
        viewBox={`0 0 ${width} ${height + 24}`}
        role="group"
        aria-label={t('home.byHour')}
      >
        {[0, top / 2, top].map((calls) => (
          <g key={calls} aria-hidden>
            <path d={`M${left} ${y(calls)}H${width}`} className="grid-line" />
            <text x={left - 6} y={y(calls) + 4} textAnchor="end">
              {count(calls)}
            </text>
          </g>
        ))}
        {hours.map(({ reached, notReached }, hour) => {
          const x = left + hour * slot + slot * 0.15;
          const past = before?.[hour];
          const pastCalls = past === undefined ? 0 : past.reached + past.notReached;
          const bars = (
            <>
              <rect className="is-in" x={x} width={slot * 0.7} y={y(reached)} height={height - y(reached)} />
              <rect
                className="is-out"
                x={x}
                width={slot * 0.7}
                y={y(reached + notReached)}
                height={y(reached) - y(reached + notReached)}
              />
            </>
          );
          const calls = reached + notReached;
          return (
            <g key={hour}>
              {calls > 0 && (
                <Link
                  to="/calls"
                  search={{ q: hourFilters(day, hour, timezone) }}
                  aria-label={t('home.hourOf', { hour: `${hour}:00`, n: calls, reached })}
                >
                  <title>{t('home.hourOf', { hour: `${hour}:00`, n: calls, reached })}</title>
                  <rect className="hour" x={left + hour * slot} width={slot} y={0} height={height} />
                  {bars}
                </Link>
              )}
              {pastCalls > 0 && (
                <path className="is-past" d={`M${x - 2} ${y(pastCalls)}h${slot * 0.7 + 4}`} aria-hidden />
              )}
              {hour % 4 === 0 && (
                <text x={x + slot * 0.35} y={height + 18} textAnchor="middle" aria-hidden>
                  {hour}
                </text>
              )}
            </g>
          );
        })}
      </svg>
      <table className="vh">
        <caption>{t('home.byHour')}</caption>
        <thead>
          <tr>
            <th>{t('home.hour')}</th>
            <th>{t('home.reached')}</th>
            <th>{t('home.notReached')}</th>
          </tr>
        </thead>
        <tbody>
          {hours.map(({ reached, notReached }, hour) =>
            reached + notReached === 0 ? null : (
              <tr key={hour}>
                <th>{hour}</th>
                <td>{reached}</td>
                <td>{notReached}</td>
              </tr>
            ),
          )}
        </tbody>
      </table>
    </figure>
  );
}

function Outcomes({ outcomes }: { outcomes: ReturnType<typeof outcomesOf> }) {
  if (outcomes.length === 0) return <p className="quiet">{t('home.noOutcomes')}</p>;
  const most = Math.max(...outcomes.map(({ calls }) => calls));
  return (
    <ul className="outs">
      {outcomes.map((outcome) => (
        <li key={outcome.disposition}>
          <OutcomeRow of={outcome} most={most} />
        </li>
      ))}
    </ul>
  );
}

function OutcomeRow({ of, most }: { of: Outcome; most: number }) {
  const { disposition, codes, calls, change } = of;
  const isFault = codes.length > 0 && codes.every((each) => faultDispositions.includes(each));
  const row = (
    <>
      <span className="cut">
        {disposition === null || codes.length === 0 ? t('home.otherOutcomes') : outcomeWords(disposition)}
      </span>
      <span className="ob" aria-hidden>
        <i className={cx(isFault && 'is-bad')} style={{ width: `${(calls / most) * 100}%` }} />
      </span>
      <b>{count(calls)}</b>
      {change !== null && (
        <span className="t-2">{t('home.points', { n: change > 0 ? `+${change}` : String(change) })}</span>
      )}
    </>
  );
  // Which the others are is known as soon as the calls of the day are read.
  if (codes.length === 0) return <span className="out">{row}</span>;
  const filters = codes.map((value) => ({ field: 'outcome' as const, value }));
  return (
    <Link
      to="/calls"
      search={{ q: formatFilters([...filters, { field: 'date', value: 'today' }]) }}
      className="out"
    >
      {row}
    </Link>
  );
}

/** Half of today's calls were answered at least so fast, beside those of yesterday. */
function Median({ nowMs, beforeMs }: { nowMs: number; beforeMs: number | null }) {
  const saved = beforeMs === null ? 0 : beforeMs - nowMs;
  return (
    <div className="median">
      <Link to="/calls" search={{ q: 'date:today' }} className="big">
        {seconds(nowMs)}
      </Link>
      {Math.abs(saved) >= 5 && (
        <Tag is={saved > 0 ? 'ok' : 'warn'}>
          {t(saved > 0 ? 'home.faster' : 'home.slower', { by: seconds(Math.abs(saved)) })}
        </Tag>
      )}
      <span className="small t-2">{t('home.medianWhat')}</span>
    </div>
  );
}

function Latencies({ rows }: { rows: ReturnType<typeof latenciesOf> }) {
  if (rows.length === 0) return <p className="quiet">{t('home.noLatency')}</p>;
  return (
    <ul className="outs">
      <li className="caption small t-3">{t('home.latencyWhen')}</li>
      {rows.map(({ id, name, p95Ms }) => (
        <li key={id}>
          <Link to="/agents/$agentId" params={{ agentId: String(id) }} className="lat">
            <span>{name}</span>
            <b>{seconds(p95Ms)}</b>
          </Link>
        </li>
      ))}
    </ul>
  );
}
