import { Link } from '@tanstack/react-router';
import { PanelRightOpen } from 'lucide-react';
import type { UsageRun } from '../../../../src/contract/usage.ts';
import { date, duration, isToday, seconds, timeOfDay } from '../../app/format.ts';
import { t } from '../../app/words.ts';
import { IconButton } from '../../parts/button.tsx';
import { type Column, DataList } from '../../parts/data-list.tsx';
import { Phone } from '../../parts/phone.tsx';
import { campaignRowOf, costText, flagsOf, numberOf, personOf, valuesOf } from '../call/facts.ts';
import type { MoreColumn } from './columns.ts';
import { nameOf } from './names.ts';
import { ChannelIcon, Flags, Outcome } from './outcome.tsx';
import { useNumberText } from '../../app/numbers.ts';

export const idOf = ({ id }: UsageRun): string => String(id);
export const linkOf = ({ id, workflow_id: agentId }: UsageRun) => ({
  to: '/calls/$agentId/$runId' as const,
  params: { agentId: String(agentId), runId: String(id) },
});

/** A call that has no outcome yet. */
export const isLive = ({ disposition, call_duration_seconds: length }: UsageRun): boolean =>
  disposition === null && length === 0;

interface CallListProps {
  calls: readonly UsageRun[];
  page: { offset: number; total: number };
  more: readonly MoreColumn[];
  cursor: string | undefined;
  isSelected: (call: UsageRun) => boolean;
  sort: { id: string; direction: 'ascending' | 'descending' };
  onSort: (id: string) => void;
  /** `isRange`: with all calls since the one that was last selected. */
  onSelect: (call: UsageRun, isRange: boolean) => void;
  onPeek: (call: UsageRun) => void;
}

export function CallList({
  calls,
  page,
  more,
  cursor,
  isSelected,
  sort,
  onSort,
  onSelect,
  onPeek,
}: CallListProps) {
  const numberText = useNumberText();
  return (
    <DataList
      label={t('frame.calls')}
      className="call-list"
      hasOwnChooser
      isTall
      rows={calls}
      page={page}
      idOf={idOf}
      linkOf={linkOf}
      selectedId={cursor}
      sort={sort}
      onSort={onSort}
      sortable={['created_at', 'duration']}
      selecting={{
        label: t('calls.select'),
        isSelected,
        onSelect,
        nameOf: (call) => t('calls.selectOne', { name: nameOf(call, numberText) }),
      }}
      columns={[
        {
          id: 'created_at',
          label: t('calls.when'),
          isWide: true,
          width: '112px',
          cell: ({ created_at: at }) => <Moment at={at} />,
        },
        {
          id: 'who',
          label: t('calls.who'),
          isMain: true,
          cell: (call) => <Who call={call} numberText={numberText} />,
        },
        {
          id: 'agent',
          label: t('calls.agent'),
          isWide: true,
          cell: ({ workflow_name: name }) => <span className="cut call-agent">{name ?? '–'}</span>,
        },
        {
          id: 'outcome',
          label: t('calls.outcome'),
          cell: (call) =>
            call.disposition === null ? (
              <span className="live-mark">
                <i className="dot pulse is-ok" aria-hidden />
                {t(isLive(call) ? 'calls.status.live' : 'calls.noOutcome')}
              </span>
            ) : (
              <Outcome code={call.disposition} />
            ),
        },
        {
          id: 'duration',
          label: t('calls.length'),
          isNumber: true,
          cell: (call) => (isLive(call) ? '–' : duration(call.call_duration_seconds)),
        },
        {
          id: 'flags',
          label: t('calls.flags'),
          isWide: true,
          width: '96px',
          cell: (call) => <Flags of={flagsOf(call)} />,
        },
        ...more.map((id) => optional[id]),
        {
          id: 'peek',
          label: t('calls.peek'),
          isLabelHidden: true,
          isWide: true,
          width: '44px',
          cell: (call) => (
            <IconButton
              icon={PanelRightOpen}
              label={t('calls.peekAt', { name: nameOf(call, numberText) })}
              size="xs"
              onPress={() => onPeek(call)}
            />
          ),
        },
      ]}
    />
  );
}

const optional: Record<MoreColumn, Column<UsageRun>> = {
  version: {
    id: 'version',
    label: t('calls.version'),
    isWide: true,
    width: '72px',
    cell: ({ version_number: version }) => (version === null ? '–' : t('calls.versionOf', { version })),
  },
  turns: {
    id: 'turns',
    label: t('calls.turns'),
    isNumber: true,
    isWide: true,
    cell: ({ turn_count: turns }) => turns ?? '–',
  },
  p95: {
    id: 'p95',
    label: t('calls.p95'),
    isNumber: true,
    isWide: true,
    cell: ({ latency_p95_ms: ms }) => (ms === null ? '–' : seconds(ms)),
  },
  qa: {
    id: 'qa',
    label: t('calls.qa'),
    isNumber: true,
    isWide: true,
    cell: ({ qa_score: score }) => score ?? '–',
  },
  cost: {
    id: 'cost',
    label: t('calls.cost'),
    isNumber: true,
    isWide: true,
    cell: ({ charge_usd: usd }) => (usd === null ? '–' : costText(usd)),
  },
  campaign: {
    id: 'campaign',
    label: t('calls.campaign'),
    isWide: true,
    cell: (call) => <CampaignRow call={call} />,
  },
};

function CampaignRow({ call }: { call: UsageRun }) {
  const of = campaignRowOf(call);
  if (of === null) return '–';
  const { campaignId, row } = of;
  return (
    <Link
      className="link"
      to="/campaigns/$id"
      params={{ id: String(campaignId) }}
      search={row === null ? {} : { row }}
    >
      {t('calls.campaignRow', { campaign: campaignId, row: row ?? 'none' })}
    </Link>
  );
}

function Who({ call, numberText }: { call: UsageRun; numberText: (number: string) => string }) {
  const number = numberOf(call);
  const values = valuesOf(call).filter(([, value]) => value !== '–');
  return (
    <span className="who">
      <span className="flex min-w-0 items-center gap-2">
        <ChannelIcon mode={call.mode} isInbound={call.call_type === 'inbound'} />
        <span className="text-ink cut font-medium">{nameOf(call, numberText)}</span>
        {number !== null && personOf(call) !== null && (
          <Phone number={number} isBare className="text-12 text-muted" />
        )}
      </span>
      <span className="snip">
        <span className="only-s">
          <Moment at={call.created_at} />
          {' · '}
        </span>
        {values.length === 0
          ? call.name
          : values.slice(0, 3).map(([name, value]) => (
              <span key={name} className="snip-value">
                {name} <b>{value}</b>
              </span>
            ))}
      </span>
    </span>
  );
}

/** The time of a call of today, else its day with the time. */
function Moment({ at }: { at: string }) {
  const moment = new Date(at);
  return (
    <time dateTime={at} title={moment.toISOString()} className="text-muted whitespace-nowrap">
      {isToday(moment) ? timeOfDay(moment) : `${date(moment)}, ${timeOfDay(moment).slice(0, 5)}`}
    </time>
  );
}
