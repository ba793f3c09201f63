import '../../styles/rooms.css';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
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
import { changeOf, filtersOf, type Group, type Range, rangesOf, topDisposition } from './figures.ts';
import { groupings, periods, type ReportsSearch } from './search.ts';

const route = getRouteApi('/reports');
const newCallsMs = 60_000;
const all = 'all';

/** Calls of the last days beside those of the days before: how many, how they ended, how long, how fast, what they cost. */
export function ReportsPage() {
  const { days = 30, by = 'agent', agent } = route.useSearch();
  const navigate = route.useNavigate();
  const { now, before } = rangesOf(dayOf(new Date(useNow(newCallsMs)), timezone), days);
  const report = (range: Range, groupBy: ReportGrouping) => ({
    ...get('/organizations/reports/calls', {
      query: {
        ...range,
        timezone,
        group_by: groupBy,
        ...(agent === undefined ? {} : { workflow_id: agent }),
      },
    }),
    placeholderData: keepPreviousData,
  });
  const byDay = useQuery({ ...report(now, 'day'), refetchInterval: newCallsMs });
  const former = useQuery(report(before, 'day'));
  const grouped = useQuery({ ...report(now, by), refetchInterval: newCallsMs });
  const formerGroups = useQuery(report(before, by));
  const agents = useQuery(get('/organizations/reports/workflows', {}));
  const change = (next: Partial<ReportsSearch>) => void navigate({ search: (old) => ({ ...old, ...next }) });
  return (
    <Page title={t('frame.reports')}>
      <div className="reports">
        <div className="reports-bar">
          <Select
            label={t('reports.period')}
            isLabelHidden
            options={periods.map((each) => ({
              value: String(each),
              label: t('reports.days', { count: each }),
            }))}
            value={String(days)}
            onChange={(value) => change({ days: periods.find((each) => String(each) === value) })}
          />
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
                  <Days groups={shown.groups} before={former.data?.groups} />
                </Card>
                <Card
                  title={t('reports.compare')}
                  aside={
                    <Select
                      label={t('reports.by')}
                      isLabelHidden
                      options={groupings.map((each) => ({ value: each, label: t(`reports.by.${each}`) }))}
                      value={by}
                      onChange={(value) => change({ by: groupings.find((each) => each === value) })}
                    />
                  }
                >
                  <Loaded query={grouped} rows={6}>
                    {(shown) => <Groups report={shown} former={formerGroups.data} by={by} range={now} />}
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
  const figures = [
    { name: t('frame.calls'), shown: count(now.calls), change: changeOf(now.calls, before?.calls) },
    {
      name: t('reports.averageLength'),
      shown: now.ended_calls === 0 ? '–' : duration(now.average_duration_seconds),
      change: changeOf(now.average_duration_seconds, before?.average_duration_seconds),
    },
    {
      name: t('reports.latency'),
      shown: now.latency_p95_ms === null ? '–' : seconds(now.latency_p95_ms),
      change: changeOf(now.latency_p95_ms, before?.latency_p95_ms),
    },
    {
      name: t('calls.cost'),
      shown: now.cost_usd === null ? '–' : costText(now.cost_usd),
      change: changeOf(now.cost_usd, before?.cost_usd),
    },
  ];
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
function Days({ groups, before }: { groups: readonly Group[]; before: readonly Group[] | undefined }) {
  const most = Math.max(1, ...groups.map(({ calls }) => calls), ...(before ?? []).map(({ calls }) => calls));
  return (
    <div className="report-chart" aria-hidden>
      <span className="report-most num">{count(most)}</span>
      <div className="report-days">
        {groups.map(({ key, calls }, index) => {
          const past = before?.[index]?.calls ?? 0;
          return (
            <Link
              key={key}
              to="/calls"
              search={{ q: `date:${key}` }}
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
  range,
}: {
  report: CallReport;
  former: CallReport | undefined;
  by: ReportGrouping;
  range: Range;
}) {
  const past = new Map(former?.groups.map((each) => [each.key, each]));
  const most = Math.max(1, ...report.groups.map(({ calls }) => calls));
  const everyColumn: Column<Group>[] = [
    {
      id: 'group',
      label: t(`reports.of.${by}`),
      cell: (group) => {
        const q = filtersOf(by, group, range);
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
      cell: ({ calls }) => (
        <span className="report-share">
          <i style={{ inlineSize: `${(calls / most) * 100}%` }} aria-hidden />
          {count(calls)}
        </span>
      ),
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
      label: t('reports.mostly'),
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
      cell: (group) => (group.ended_calls === 0 ? '–' : duration(group.average_duration_seconds)),
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
      cell: ({ latency_p95_ms: ms }) => (ms === null ? '–' : seconds(ms)),
    },
    {
      id: 'cost',
      label: t('calls.cost'),
      isNumber: true,
      isWide: true,
      cell: ({ cost_usd: usd }) => (usd === null ? '–' : costText(usd)),
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
