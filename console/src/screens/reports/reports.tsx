import '../../styles/rooms.css';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { CallReport, CallReportFigures, ReportGrouping } from '../../../../src/contract/call-reports.ts';
import { dayOf } from '../../app/days.ts';
import { count, dayWords, duration, ownZone as timezone, percent, seconds } from '../../app/format.ts';
import { useNow } from '../../app/now.ts';
import { outcomeWords } from '../../app/outcome-words.ts';
import { get } from '../../app/query.ts';
import { t } from '../../app/words.ts';
import { Card } from '../../parts/card.tsx';
import { type Column, DataList } from '../../parts/data-list.tsx';
import { Page } from '../../parts/page.tsx';
import { Select } from '../../parts/select.tsx';
import { Empty, Loaded } from '../../parts/states.tsx';
import { costText } from '../call/facts.ts';
import {
  changeOf,
  chosenRanges,
  filtersOf,
  type Group,
  isDay,
  isRange,
  maxDays,
  type Narrowing,
  type Range,
  rangesOf,
  topDisposition,
} from './figures.ts';
import { groupings, periods, type ReportsSearch } from './search.ts';

const route = getRouteApi('/reports');
const newCallsMs = 60_000;
const all = 'all';
const chosen = 'chosen';

/** Calls of the last days beside those of the days before: how many, how they ended, how long, how fast, what they cost. */
export function ReportsPage() {
  const search = route.useSearch();
  const { from, to, by = 'agent', agent, campaign } = search;
  const navigate = route.useNavigate();
  const today = dayOf(new Date(useNow(newCallsMs)), timezone);
  const usualDays = search.days ?? 30;
  const { now, before, days } =
    from !== undefined && to !== undefined
      ? chosenRanges({ from, to })
      : { ...rangesOf(today, usualDays), days: usualDays };
  const narrowing = { agent, campaign };
  const report = (range: Range, groupBy: ReportGrouping) => ({
    ...get('/organizations/reports/calls', {
      query: {
        ...range,
        timezone,
        group_by: groupBy,
        ...(agent === undefined ? {} : { workflow_id: agent }),
        ...(campaign === undefined ? {} : { campaign_id: campaign }),
      },
    }),
    placeholderData: keepPreviousData,
  });
  const byDay = useQuery({ ...report(now, 'day'), refetchInterval: newCallsMs });
  const former = useQuery(report(before, 'day'));
  const grouped = useQuery({ ...report(now, by), refetchInterval: newCallsMs });
  const formerGroups = useQuery(report(before, by));
  const agents = useQuery(get('/organizations/reports/workflows', {}));
  const campaigns = useQuery(get('/campaign/', { query: { logs: 0 } }));
  const change = (next: Partial<ReportsSearch>) => void navigate({ search: (old) => ({ ...old, ...next }) });
  return (
    <Page title={t('frame.reports')}>
      <div className="reports">
        <div className="reports-bar">
          <Select
            label={t('reports.period')}
            isLabelHidden
            options={[
              ...periods.map((each) => ({ value: String(each), label: t('reports.days', { count: each }) })),
              { value: chosen, label: t('reports.chosenDays') },
            ]}
            value={from === undefined ? String(usualDays) : chosen}
            onChange={(value) =>
              change(
                value === chosen
                  ? { days: undefined, ...now }
                  : {
                      days: periods.find((each) => String(each) === value),
                      from: undefined,
                      to: undefined,
                    },
              )
            }
          />
          {from !== undefined && to !== undefined && (
            <ChosenDays range={now} today={today} onChange={(range) => change(range)} />
          )}
          <Select
            label={t('reports.agent')}
            isLabelHidden
            options={[
              { value: all, label: t('reports.allAgents') },
              ...(agents.data ?? []).map(({ id, name }) => ({ value: String(id), label: name })),
            ]}
            value={agent === undefined ? all : String(agent)}
            onChange={(value) => change({ agent: value === all ? undefined : Number(value) })}
          />
          {campaigns.data !== undefined && campaigns.data.campaigns.length > 0 && (
            <Select
              label={t('reports.campaign')}
              isLabelHidden
              options={[
                { value: all, label: t('reports.allCampaigns') },
                ...campaigns.data.campaigns.map(({ id, name }) => ({ value: String(id), label: name })),
              ]}
              value={campaign === undefined ? all : String(campaign)}
              onChange={(value) => change({ campaign: value === all ? undefined : Number(value) })}
            />
          )}
          <span className="small t-2 num">
            {dayWords(now.from)} – {dayWords(now.to)}
          </span>
        </div>
        <Loaded query={byDay} rows={8}>
          {(shown) =>
            shown.total.calls === 0 ? (
              <Empty title={t('reports.noCalls')}>{t('reports.noCallsWhy')}</Empty>
            ) : (
              <>
                <Totals now={shown.total} before={former.data?.total} days={days} />
                <Card title={t('reports.perDay')}>
                  <Days groups={shown.groups} before={former.data?.groups} narrowing={narrowing} />
                </Card>
                <Card
                  title={t('reports.compare')}
                  aside={
                    <Select
                      label={t('reports.by')}
                      isLabelHidden
                      options={groupings.map((each) => ({ value: each, label: t(`reports.by.${each}`) }))}
                      value={by}
                      onChange={(value) =>
                        change({
                          one: undefined,
                          other: undefined,
                          by: groupings.find((each) => each === value),
                        })
                      }
                    />
                  }
                >
                  <Loaded query={grouped} rows={6}>
                    {(shown) => (
                      <>
                        {by !== 'day' && shown.groups.length > 1 && (
                          <SideBySide
                            by={by}
                            groups={shown.groups}
                            chosen={[search.one, search.other]}
                            onChange={change}
                          />
                        )}
                        <Groups
                          report={shown}
                          former={formerGroups.data}
                          by={by}
                          of={{ ...now, ...narrowing }}
                        />
                      </>
                    )}
                  </Loaded>
                </Card>
              </>
            )
          }
        </Loaded>
      </div>
    </Page>
  );
}

/** The first and the last day of a period. */
function ChosenDays({
  range,
  today,
  onChange,
}: {
  range: Range;
  today: string;
  onChange: (range: Range) => void;
}) {
  const [fault, setFault] = useState<string | null>(null);
  const set = (next: Range) => {
    if (!isDay(next.from) || !isDay(next.to)) return;
    if (!isRange(next)) return setFault(t('reports.badRange', { days: maxDays }));
    setFault(null);
    onChange(next);
  };
  return (
    <>
      {(['from', 'to'] as const).map((end) => (
        <input
          key={end}
          type="date"
          className="input"
          aria-label={t(`reports.${end}`)}
          aria-invalid={fault !== null}
          max={today}
          value={range[end]}
          onChange={({ target }) => set({ ...range, [end]: target.value })}
        />
      ))}
      {fault !== null && (
        <span role="alert" className="hint bad">
          {fault}
        </span>
      )}
    </>
  );
}

/** Two groups beside each other, figure by figure. */
function SideBySide({
  by,
  groups,
  chosen: [oneKey, otherKey],
  onChange,
}: {
  by: ReportGrouping;
  groups: readonly Group[];
  chosen: readonly [string | undefined, string | undefined];
  onChange: (next: Pick<ReportsSearch, 'one' | 'other'>) => void;
}) {
  const one = groups.find(({ key }) => key === oneKey);
  const other = groups.find(({ key }) => key === otherKey);
  const options = (except: string | undefined) => [
    { value: all, label: t('reports.choose') },
    ...groups
      .filter(({ key }) => key !== '' && key !== except)
      .map((group) => ({ value: group.key, label: nameOf(by, group) })),
  ];
  const pick = (name: 'one' | 'other', value: string | undefined, except: string | undefined) => (
    <Select
      label={t(`reports.pick.${name}`)}
      isLabelHidden
      options={options(except)}
      value={value ?? all}
      onChange={(next) => onChange({ [name]: next === all ? undefined : next })}
    />
  );
  const top = (group: Group) => {
    const found = topDisposition(group);
    return found === null ? '–' : `${outcomeWords(found.disposition)} ${percent(found.share)}`;
  };
  return (
    <div className="report-pair">
      <div className="reports-bar">
        <span className="small t-2">{t('reports.sideBySide')}</span>
        {pick('one', one?.key, other?.key)}
        {pick('other', other?.key, one?.key)}
      </div>
      {one !== undefined && other !== undefined && (
        <table className="table" aria-label={t('reports.sideBySide')}>
          <thead>
            <tr>
              <th scope="col">
                <span className="vh">{t('reports.figure')}</span>
              </th>
              <th scope="col" className="num">
                {nameOf(by, one)}
              </th>
              <th scope="col" className="num">
                {nameOf(by, other)}
              </th>
              <th scope="col" className="num">
                {t('reports.change')}
              </th>
            </tr>
          </thead>
          <tbody>
            {figuresOf(other, one).map(({ name, shown, past, change }) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                <td className="num">{past}</td>
                <td className="num">{shown}</td>
                <td className="num">{change === null ? '–' : changeText(change)}</td>
              </tr>
            ))}
            <tr>
              <th scope="row">{t('reports.mostFrequent')}</th>
              <td className="num">{top(one)}</td>
              <td className="num">{top(other)}</td>
              <td />
            </tr>
          </tbody>
        </table>
      )}
    </div>
  );
}

const lengthText = ({ ended_calls: ended, average_duration_seconds: seconds }: CallReportFigures): string =>
  ended === 0 ? '–' : duration(seconds);
const latencyText = ({ latency_p95_ms: ms }: CallReportFigures): string => (ms === null ? '–' : seconds(ms));
const costOf = ({ cost_usd: usd }: CallReportFigures): string => (usd === null ? '–' : costText(usd));

/** Figures of calls beside those of others, and how they differ. */
function figuresOf(now: CallReportFigures, before: CallReportFigures | undefined) {
  const pair = (
    name: string,
    text: (of: CallReportFigures) => string,
    value: (of: CallReportFigures) => number | null,
  ) => ({
    name,
    shown: text(now),
    past: before === undefined ? '–' : text(before),
    change: changeOf(value(now), before === undefined ? undefined : value(before)),
  });
  return [
    pair(
      t('frame.calls'),
      ({ calls }) => count(calls),
      ({ calls }) => calls,
    ),
    pair(t('reports.averageLength'), lengthText, (of) => of.average_duration_seconds),
    pair(t('reports.latency'), latencyText, (of) => of.latency_p95_ms),
    pair(t('calls.cost'), costOf, (of) => of.cost_usd),
  ];
}

/** The figures of all calls, each beside that of the days before. */
function Totals({
  now,
  before,
  days,
}: {
  now: CallReportFigures;
  before: CallReportFigures | undefined;
  days: number;
}) {
  const figures = figuresOf(now, before);
  return (
    <dl className="report-totals">
      {figures.map(({ name, shown, change }) => (
        <div key={name} className="card">
          <dt>{name}</dt>
          <dd>
            <b className="num">{shown}</b>
            {change !== null && (
              <span className="small t-2" title={t('reports.before', { count: days })}>
                {changeText(change)}
              </span>
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}

function changeText(change: number): string {
  const points = Math.round(change * 100);
  return points === 0
    ? t('reports.same')
    : t(points > 0 ? 'reports.more' : 'reports.less', { n: Math.abs(points) });
}

/** Calls of each day as bars; the days before as lines. The table of days has the same in words. */
function Days({
  groups,
  before,
  narrowing,
}: {
  groups: readonly Group[];
  before: readonly Group[] | undefined;
  narrowing: Narrowing;
}) {
  const most = Math.max(1, ...groups.map(({ calls }) => calls), ...(before ?? []).map(({ calls }) => calls));
  return (
    <div className="report-chart" aria-hidden>
      <span className="report-most num">{count(most)}</span>
      <div className="report-days">
        {groups.map(({ key, name, calls }, index) => {
          const past = before?.[index]?.calls ?? 0;
          return (
            <Link
              key={key}
              to="/calls"
              search={{ q: filtersOf('day', { key, name }, { from: key, to: key, ...narrowing }) ?? '' }}
              tabIndex={-1}
              title={t('calls.volume.day', { day: dayWords(key), count: calls, shown: count(calls) })}
            >
              <i style={{ blockSize: calls === 0 ? 0 : `max(2px, ${(calls / most) * 100}%)` }} />
              {past > 0 && <s style={{ insetBlockEnd: `${(past / most) * 100}%` }} />}
            </Link>
          );
        })}
      </div>
      <div className="report-ends num">
        <span>{dayWords(groups[0]?.key ?? '')}</span>
        {before !== undefined && before.some(({ calls }) => calls > 0) && (
          <span>
            <s /> {t('reports.daysBefore', { count: groups.length })}
          </span>
        )}
        <span>{dayWords(groups.at(-1)?.key ?? '')}</span>
      </div>
    </div>
  );
}

function Groups({
  report,
  former,
  by,
  of,
}: {
  report: CallReport;
  former: CallReport | undefined;
  by: ReportGrouping;
  of: Range & Narrowing;
}) {
  const past = new Map(former?.groups.map((each) => [each.key, each]));
  const most = Math.max(1, ...report.groups.map(({ calls }) => calls));
  const everyColumn: Column<Group>[] = [
    {
      id: 'group',
      label: t(`reports.of.${by}`),
      cell: (group) => {
        const q = filtersOf(by, group, of);
        const name = nameOf(by, group);
        return q === null ? (
          name
        ) : (
          <Link to="/calls" search={{ q }} className="link">
            {name}
          </Link>
        );
      },
    },
    {
      id: 'calls',
      label: t('frame.calls'),
      isNumber: true,
      cell: (group) => {
        const q = filtersOf(by, group, of);
        const bar = (
          <>
            <i style={{ inlineSize: `${(group.calls / most) * 100}%` }} aria-hidden />
            {count(group.calls)}
          </>
        );
        return q === null ? (
          <span className="report-share">{bar}</span>
        ) : (
          // The name beside it is the same link.
          <Link to="/calls" search={{ q }} className="report-share" tabIndex={-1} aria-hidden>
            {bar}
          </Link>
        );
      },
    },
    {
      id: 'change',
      label: t('reports.change'),
      isNumber: true,
      isWide: true,
      cell: ({ key, calls }) => {
        const change = by === 'day' ? null : changeOf(calls, past.get(key)?.calls);
        return change === null ? '–' : changeText(change);
      },
    },
    {
      id: 'outcome',
      label: t('reports.mostFrequent'),
      isWide: true,
      cell: (group) => {
        const top = topDisposition(group);
        return top === null ? '–' : `${outcomeWords(top.disposition)} ${percent(top.share)}`;
      },
    },
    {
      id: 'length',
      label: t('reports.averageLength'),
      isNumber: true,
      cell: lengthText,
    },
    {
      id: 'p50',
      label: t('reports.p50'),
      isNumber: true,
      isWide: true,
      cell: ({ latency_p50_ms: ms }) => (ms === null ? '–' : seconds(ms)),
    },
    {
      id: 'p95',
      label: t('calls.p95'),
      isNumber: true,
      isWide: true,
      cell: latencyText,
    },
    {
      id: 'cost',
      label: t('calls.cost'),
      isNumber: true,
      isWide: true,
      cell: costOf,
    },
  ];
  const columns = everyColumn.filter(({ id }) => by !== 'day' || id !== 'change');
  return (
    <>
      <DataList label={t('reports.compare')} rows={report.groups} columns={columns} idOf={({ key }) => key} />
      {report.left_out_groups > 0 && (
        <p className="small t-2 p-4">{t('reports.leftOut', { count: report.left_out_groups })}</p>
      )}
    </>
  );
}

function nameOf(by: ReportGrouping, { key, name }: Group): string {
  if (by === 'day') return dayWords(key);
  if (key === '') return t(by === 'campaign' ? 'reports.noCampaign' : 'reports.noOutcome');
  if (by === 'disposition') return outcomeWords(key);
  return name ?? `#${key}`;
}
