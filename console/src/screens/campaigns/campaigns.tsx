import '../../styles/rooms.css';
import '../../styles/campaigns.css';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { CircleStop, Play, Plus, Search } from 'lucide-react';
import { useState } from 'react';
import { call } from '../../app/api.ts';
import { count } from '../../app/format.ts';
import { useMay } from '../../app/may.ts';
import { get, queries } from '../../app/query.ts';
import { useKeys } from '../../app/shortcuts.ts';
import { t } from '../../app/words.ts';
import { Confirm } from '../../parts/action.tsx';
import { Button } from '../../parts/button.tsx';
import { DataList } from '../../parts/data-list.tsx';
import { Page } from '../../parts/page.tsx';
import { Select } from '../../parts/select.tsx';
import { Empty, Loaded, NothingMatches } from '../../parts/states.tsx';
import { toast } from '../../parts/toast.tsx';
import { When } from '../../parts/when.tsx';
import { type Campaign, filterOf, standingOf } from './facts.ts';
import { Ways } from './ways.tsx';
import { type CampaignsSearch, listFilters } from './search.ts';
import { ListedProgress, StandingTag, waitText } from './words.tsx';

const route = getRouteApi('/campaigns');
const activeMs = 3000;
const restMs = 15_000;

const listKeys = {
  j: t('campaigns.key.next'),
  k: t('campaigns.key.previous'),
  '/': t('campaigns.filter'),
};

/** All campaigns: how each stands, how far it is, and what it waits for. */
export function CampaignsPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const query = useQuery({
    ...get('/campaign/', {}),
    refetchInterval: ({ state }) =>
      state.data?.campaigns.some((each) => filterOf(standingOf(each)) === 'running') === true
        ? activeMs
        : restMs,
  });
  const change = (next: CampaignsSearch) => void navigate({ search: (now) => ({ ...now, ...next }) });
  const all = query.data?.campaigns ?? [];
  const shown = selectCampaigns(all, search);
  const step = (by: number) => {
    const links = [...document.querySelectorAll<HTMLElement>('.campaigns a.row-link')];
    const at = links.findIndex((link) => link === document.activeElement);
    links[Math.max(0, Math.min(links.length - 1, at + by))]?.focus();
  };
  useKeys(listKeys, {
    j: () => step(1),
    k: () => step(-1),
    '/': () => document.querySelector<HTMLElement>('#campaigns-filter')?.focus(),
  });
  return (
    <Page
      title={t('frame.campaigns')}
      isFlush
      needs={['calls:trigger', 'dialing:stop']}
      actions={
        <>
          {all.length > 0 && <DialingSwitch />}
          <NewCampaign />
        </>
      }
    >
      <Loaded query={query}>
        {() =>
          all.length === 0 ? (
            <Empty title={t('campaigns.none')} action={<NoCampaigns />}>
              {t('campaigns.noneWhy')}
            </Empty>
          ) : (
            <div className="campaigns">
              <div className="filter-line">
                <label className="find input">
                  <Search className="i" aria-hidden size={16} strokeWidth={1.5} />
                  <input
                    id="campaigns-filter"
                    type="search"
                    aria-label={t('campaigns.filter')}
                    placeholder={t('campaigns.filterHint')}
                    value={search.q ?? ''}
                    onChange={({ target }) => change({ q: target.value === '' ? undefined : target.value })}
                  />
                  <kbd className="hide-s">/</kbd>
                </label>
                <Select
                  label={t('campaigns.state')}
                  isLabelHidden
                  value={search.state ?? 'all'}
                  onChange={(value) => change({ state: listFilters.find((each) => each === value) })}
                  options={[
                    { value: 'all', label: t('campaigns.allStates') },
                    ...listFilters.map((value) => ({ value, label: t(`campaigns.state.${value}`) })),
                  ]}
                />
                <span className="grow" />
                <span className="text-hint text-12 num hide-s">
                  {t('campaigns.shown', {
                    n: shown.length,
                    all: shown.length === all.length ? 'none' : count(all.length),
                  })}
                </span>
              </div>
              {shown.length === 0 ? (
                <NothingMatches
                  filters={[
                    search.q === undefined
                      ? null
                      : { words: `“${search.q}”`, remove: () => change({ q: undefined }) },
                    search.state === undefined
                      ? null
                      : {
                          words: t(`campaigns.state.${search.state}`),
                          remove: () => change({ state: undefined }),
                        },
                  ]}
                  onClear={() => change({ q: undefined, state: undefined })}
                />
              ) : (
                <CampaignTable campaigns={shown} />
              )}
            </div>
          )
        }
      </Loaded>
    </Page>
  );
}

/** Campaigns whose name or agent has every word of the filter. */
function selectCampaigns(all: readonly Campaign[], { q = '', state }: CampaignsSearch): readonly Campaign[] {
  const words = q.toLowerCase().split(/\s+/).filter(Boolean);
  return all.filter(
    (each) =>
      (state === undefined || filterOf(standingOf(each)) === state) &&
      words.every((word) => `${each.name} ${each.workflow_name}`.toLowerCase().includes(word)),
  );
}

function NewCampaign() {
  const navigate = useNavigate();
  return (
    <Button
      kind="primary"
      icon={Plus}
      needs="calls:trigger"
      onPress={() => void navigate({ to: '/campaigns/new' })}
    >
      {t('campaigns.new')}
    </Button>
  );
}

function NoCampaigns() {
  const mayNow = useMay();
  const directories = useQuery(get('/directories', { query: { limit: 1 } }));
  if (!mayNow('calls:trigger')) return null;
  return (
    <>
      {directories.data?.total_count === 0 && (
        <Link to="/contacts" className="btn">
          {t('campaigns.toContacts')}
        </Link>
      )}
      <Link to="/campaigns/new" className="btn">
        {t('campaigns.new')}
      </Link>
    </>
  );
}

function CampaignTable({ campaigns }: { campaigns: readonly Campaign[] }) {
  return (
    <DataList
      label={t('frame.campaigns')}
      isTall
      rows={campaigns}
      idOf={({ id }) => String(id)}
      linkOf={({ id }) => ({ to: '/campaigns/$id' as const, params: { id: String(id) } })}
      columns={[
        {
          id: 'name',
          label: t('campaigns.campaign'),
          isMain: true,
          cell: (campaign) => {
            const waits = waitText(campaign);
            return (
              <span className="campaign-name">
                <span className="cut block" title={campaign.name}>
                  {campaign.name}
                </span>
                {waits === '' ? (
                  // Wider windows have a column of it.
                  <span className="text-muted text-12 cut only-s block font-normal">
                    {campaign.workflow_name}
                  </span>
                ) : (
                  <span className="text-muted text-12 campaign-waits block font-normal" title={waits}>
                    {waits}
                  </span>
                )}
              </span>
            );
          },
        },
        {
          id: 'state',
          label: t('campaigns.state'),
          width: '120px',
          cell: (campaign) => <StandingTag of={standingOf(campaign)} />,
        },
        {
          id: 'progress',
          label: t('campaigns.progress'),
          isWide: true,
          width: '26%',
          cell: (campaign) => <ListedProgress of={campaign} />,
        },
        {
          id: 'agent',
          label: t('campaigns.agent'),
          isWide: true,
          width: '18%',
          cell: ({ workflow_name: name }) => (
            <span className="cut campaign-agent block" title={name}>
              {name}
            </span>
          ),
        },
        {
          id: 'when',
          label: t('campaigns.when'),
          isWide: true,
          width: '150px',
          cell: (campaign) => <Since of={campaign} />,
        },
      ]}
    />
  );
}

function Since({ of: campaign }: { of: Campaign }) {
  const [which, at] =
    campaign.completed_at !== null
      ? ['completed', campaign.completed_at]
      : campaign.started_at !== null
        ? ['started', campaign.started_at]
        : ['created', campaign.created_at];
  return (
    <span className="text-muted text-12 whitespace-nowrap">
      {t(`campaigns.since.${which}`)} <When at={at} />
    </span>
  );
}

/** Stops the dialing of all campaigns, or resumes it. */
function DialingSwitch() {
  const [isOpen, setOpen] = useState(false);
  const [hangUp, setHangUp] = useState<'none' | 'unanswered' | 'all'>('none');
  const { data } = useQuery(get('/organizations/dialing', {}));
  if (data === undefined) return null;
  const close = () => setOpen(false);
  const done = async () => {
    await Promise.all(
      ['/organizations/dialing', '/campaign/'].map((path) => queries.invalidateQueries({ queryKey: [path] })),
    );
  };
  if (data.is_stopped)
    return (
      <>
        <Button icon={Play} needs="admin" onPress={() => setOpen(true)}>
          {t('campaigns.resumeAll')}
        </Button>
        {isOpen && (
          <Confirm
            title={t('campaigns.resumeAll')}
            button={t('campaigns.resumeAll')}
            isDanger={false}
            isBlocked={data.operator_stopped_at !== null}
            onClose={close}
            onConfirm={async () => {
              await call('post', '/organizations/dialing/resume', {});
              await done();
              toast(t('campaigns.resumedAll'));
            }}
          >
            {t(data.operator_stopped_at === null ? 'campaigns.resumeAllWhat' : 'campaigns.stoppedByOperator')}
          </Confirm>
        )}
      </>
    );
  return (
    <>
      <Button kind="danger" icon={CircleStop} needs="dialing:stop" onPress={() => setOpen(true)}>
        {t('campaigns.stopAll')}
      </Button>
      {isOpen && (
        <Confirm
          title={t('campaigns.stopAllTitle')}
          button={t(`campaigns.stopAllDo.${hangUp}`)}
          onClose={close}
          onConfirm={async () => {
            await call('post', '/organizations/dialing/stop', { body: { hang_up: hangUp } });
            await done();
            toast(t('campaigns.stoppedAll'));
          }}
        >
          <p className="text-muted">{t('campaigns.stopAllWhat')}</p>
          <Ways
            label={t('campaigns.callsInProgress')}
            value={hangUp}
            onChange={setHangUp}
            ways={(['none', 'unanswered', 'all'] as const).map((id) => ({
              id,
              label: t(`campaigns.stopAllWay.${id}`),
              hint: t(`campaigns.stopAllWayHint.${id}`),
            }))}
          />
        </Confirm>
      )}
    </>
  );
}
