import '../../styles/rooms.css';
import '../../styles/campaigns.css';
import {
  infiniteQueryOptions,
  keepPreviousData,
  useInfiniteQuery,
  useQueries,
  useQuery,
} from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { CircleStop, Pause, Play, Plus } from 'lucide-react';
import { useState } from 'react';
import { campaignStandings } from '../../../../src/contract/data/campaigns.ts';
import { call } from '../../app/api.ts';
import { useMay } from '../../app/may.ts';
import { get, queries } from '../../app/query.ts';
import { useKeys } from '../../app/shortcuts.ts';
import { t } from '../../app/words.ts';
import { Confirm, Refusal, useAction } from '../../parts/action.tsx';
import { Button } from '../../parts/button.tsx';
import { Checkbox } from '../../parts/checkbox.tsx';
import { DataList } from '../../parts/data-list.tsx';
import { FindField } from '../../parts/find-field.tsx';
import { Page } from '../../parts/page.tsx';
import { Select } from '../../parts/select.tsx';
import { Empty, Loaded, NothingMatches } from '../../parts/states.tsx';
import { toast } from '../../parts/toast.tsx';
import { When } from '../../parts/when.tsx';
import { type Campaign, filterOf, mayChange, partsOf, type Progress, standingOf, verbsOf } from './facts.ts';
import { Ways } from './ways.tsx';
import type { CampaignsSearch } from './search.ts';
import { ListedProgress, moment, StandingTag, waitText } from './words.tsx';

const route = getRouteApi('/campaigns');
const activeMs = 3000;
const restMs = 15_000;

const listKeys = {
  j: t('campaigns.key.next'),
  k: t('campaigns.key.previous'),
};

const pageSize = 50;

/** Campaigns that a filter selects, newest first, page by page. */
const campaignsWith = ({ q = '', state }: CampaignsSearch) =>
  infiniteQueryOptions({
    queryKey: ['/campaign/', 'pages', q, state],
    queryFn: async ({ pageParam, signal }) =>
      (
        await call('get', '/campaign/', {
          query: {
            logs: 1,
            limit: pageSize,
            offset: pageParam,
            ...(q === '' ? {} : { search: q }),
            ...(state === undefined ? {} : { standing: state }),
          },
          signal,
        })
      ).body,
    initialPageParam: 0,
    getNextPageParam: ({ offset, campaigns, total_count: total }) =>
      campaigns.length > 0 && offset + campaigns.length < total ? offset + campaigns.length : undefined,
    // Each page is a request.
    refetchInterval: ({ state: { data } }) =>
      (data?.pages.length ?? 1) *
      (data?.pages.some(({ campaigns }) =>
        campaigns.some((each) => filterOf(standingOf(each)) === 'running'),
      ) === true
        ? activeMs
        : restMs),
    placeholderData: keepPreviousData,
  });

/** All campaigns: how each stands, how far it is, and what it waits for. */
export function CampaignsPage() {
  const search = route.useSearch();
  const { q = '', state } = search;
  const navigate = route.useNavigate();
  const query = useInfiniteQuery(campaignsWith(search));
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = query;
  const change = (next: CampaignsSearch, replace = false) =>
    void navigate({ search: (now) => ({ ...now, ...next }), replace });
  const step = (by: number) => {
    const links = [...document.querySelectorAll<HTMLElement>('.campaigns a.row-link')];
    const at = links.findIndex((link) => link === document.activeElement);
    links[Math.max(0, Math.min(links.length - 1, at + by))]?.focus();
  };
  useKeys(listKeys, { j: () => step(1), k: () => step(-1) });
  const total = query.data?.pages.at(-1)?.total_count ?? 0;
  const hasCampaigns = total > 0 || q !== '' || state !== undefined;
  return (
    <Page
      title={t('frame.campaigns')}
      isFlush
      needs={['calls:trigger', 'dialing:stop']}
      actions={
        <>
          {query.data !== undefined && hasCampaigns && <DialingSwitch />}
          <NewCampaign />
        </>
      }
    >
      <Loaded query={query}>
        {({ pages }) =>
          hasCampaigns ? (
            <div className="campaigns">
              <div className="filter-line">
                <FindField
                  label={t('campaigns.filter')}
                  hint={t('campaigns.filterHint')}
                  q={q}
                  onFind={(text) => change({ q: text === '' ? undefined : text }, true)}
                />
                <Select
                  label={t('campaigns.state')}
                  isLabelHidden
                  value={state ?? 'all'}
                  onChange={(value) => change({ state: campaignStandings.find((each) => each === value) })}
                  options={[
                    { value: 'all', label: t('campaigns.allStates') },
                    ...campaignStandings.map((value) => ({ value, label: t(`campaigns.state.${value}`) })),
                  ]}
                />
                <span className="grow" />
                <span className="text-hint text-12 num hide-s" role="status">
                  {t('campaigns.shown', { n: total })}
                </span>
              </div>
              {total === 0 ? (
                <NothingMatches
                  filters={[
                    q === '' ? null : { words: `“${q}”`, remove: () => change({ q: undefined }) },
                    state === undefined
                      ? null
                      : {
                          words: t(`campaigns.state.${state}`),
                          remove: () => change({ state: undefined }),
                        },
                  ]}
                  onClear={() => change({ q: undefined, state: undefined })}
                />
              ) : (
                <Selectable
                  campaigns={pages.flatMap(({ campaigns }) => campaigns)}
                  isPart={hasNextPage}
                  onEnd={() => {
                    if (!isFetchingNextPage) void fetchNextPage();
                  }}
                />
              )}
            </div>
          ) : (
            <Empty title={t('campaigns.none')} action={<NoCampaigns />}>
              {t('campaigns.noneWhy')}
            </Empty>
          )
        }
      </Loaded>
    </Page>
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

/** More campaigns than that are shown without what only their progress says. */
const maxFollowed = 40;

/** The progress of listed campaigns by id: again and again of those that may change, once of the others. */
function useProgressOf(campaigns: readonly Campaign[]): ReadonlyMap<number, Progress> {
  const results = useQueries({
    queries: campaigns.slice(0, maxFollowed).map((campaign) => {
      const isActive = filterOf(standingOf(campaign)) === 'running';
      return {
        ...get('/campaign/{campaign_id}/progress', { params: { campaign_id: campaign.id } }),
        refetchInterval: isActive ? activeMs : (false as const),
      };
    }),
  });
  return new Map(results.flatMap(({ data }) => (data === undefined ? [] : [[data.campaign_id, data]])));
}

/** The list, of which several can be paused or resumed together. */
function Selectable({
  campaigns,
  ...more
}: {
  campaigns: readonly Campaign[];
  isPart: boolean;
  onEnd: () => void;
}) {
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set());
  const { run, error, isBusy } = useAction();
  const isShown = useMay()('calls:trigger');
  const held = campaigns.filter(({ id }) => chosen.has(id));
  const able = (verb: 'pause' | 'resume') => held.filter((each) => verbsOf(each).includes(verb));
  const choose = (id: number, isOn: boolean) =>
    setChosen((now) => new Set(isOn ? [...now, id] : [...now].filter((each) => each !== id)));
  const act = (verb: 'pause' | 'resume') =>
    run(async () => {
      const asked = able(verb);
      const answers = await Promise.allSettled(
        asked.map(({ id }) =>
          call('post', `/campaign/{campaign_id}/${verb}`, { params: { campaign_id: id } }),
        ),
      );
      await Promise.all(
        ['/campaign/', '/campaign/{campaign_id}/progress', '/campaign/{campaign_id}'].map((path) =>
          queries.invalidateQueries({ queryKey: [path] }),
        ),
      );
      const failed = answers.filter((each) => each.status === 'rejected');
      setChosen(new Set(asked.filter((_, at) => answers[at]?.status === 'rejected').map(({ id }) => id)));
      if (failed.length < asked.length)
        toast(t(`campaigns.bulkDid.${verb}`, { n: asked.length - failed.length }));
      if (failed[0] !== undefined) throw failed[0].reason;
    });
  return (
    <>
      {held.length > 0 && (
        <div className="row wrap campaigns-chosen" role="group" aria-label={t('campaigns.chosen')}>
          <span className="text-12 text-muted num">{t('campaigns.chosenN', { n: held.length })}</span>
          {(['pause', 'resume'] as const).map((verb) => {
            const n = able(verb).length;
            return (
              n > 0 && (
                <Button
                  key={verb}
                  size="xs"
                  icon={verb === 'pause' ? Pause : Play}
                  needs="calls:trigger"
                  isDisabled={isBusy}
                  onPress={() => act(verb)}
                >
                  {t(`campaigns.bulkDo.${verb}`, { n })}
                </Button>
              )
            );
          })}
          <Button size="xs" kind="ghost" onPress={() => setChosen(new Set())}>
            {t('campaigns.chooseNone')}
          </Button>
        </div>
      )}
      <Refusal error={error} />
      <CampaignTable campaigns={campaigns} {...more} chosen={isShown ? chosen : null} onChoose={choose} />
    </>
  );
}

function CampaignTable({
  campaigns,
  isPart,
  onEnd,
  chosen,
  onChoose,
}: {
  campaigns: readonly Campaign[];
  /** There are more. */
  isPart: boolean;
  onEnd: () => void;
  /** Null: none can be chosen. */
  chosen: ReadonlySet<number> | null;
  onChoose: (id: number, isOn: boolean) => void;
}) {
  const progressOf = useProgressOf(campaigns);
  const isHeld = (campaign: Campaign) =>
    verbsOf(campaign).some((verb) => verb === 'pause' || verb === 'resume');
  return (
    <DataList
      label={t('frame.campaigns')}
      isTall
      rows={campaigns}
      isPart={isPart}
      onEnd={onEnd}
      idOf={({ id }) => String(id)}
      linkOf={({ id }) => ({ to: '/campaigns/$id' as const, params: { id: String(id) } })}
      columns={[
        ...(chosen === null || !campaigns.some(isHeld)
          ? []
          : [
              {
                id: 'chosen',
                label: t('campaigns.choose'),
                isLabelHidden: true,
                isWide: true,
                width: '40px',
                cell: (campaign: Campaign) =>
                  isHeld(campaign) && (
                    <Checkbox
                      label={t('campaigns.chooseOne', { name: campaign.name })}
                      isSelected={chosen.has(campaign.id)}
                      onChange={(isOn) => onChoose(campaign.id, isOn)}
                    />
                  ),
              },
            ]),
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
          width: '23%',
          cell: (campaign) => {
            const progress = progressOf.get(campaign.id);
            return (
              <span className="campaign-standing">
                <ListedProgress of={campaign} progress={progress} />
                {progress !== undefined && campaign.state !== 'created' && (
                  <span className="text-muted text-12 cut block">{nowText(progress)}</span>
                )}
              </span>
            );
          },
        },
        {
          id: 'pace',
          label: t('campaigns.paceAndEnd'),
          isWide: true,
          width: '130px',
          cell: ({ id }) => <PaceAndEnd of={progressOf.get(id)} />,
        },
        {
          id: 'agent',
          label: t('campaigns.agentAndFile'),
          isWide: true,
          width: '17%',
          cell: ({ workflow_name: name, directory_name: file }) => (
            <>
              <span className="cut campaign-agent block" title={name}>
                {name}
              </span>
              <span className="text-muted text-12 cut campaign-agent block" title={file}>
                {file}
              </span>
            </>
          ),
        },
        {
          id: 'when',
          label: t('campaigns.when'),
          isWide: true,
          width: '140px',
          cell: (campaign) => <Since of={campaign} />,
        },
      ]}
    />
  );
}

/** Who was reached, who is in a call, and who waits. */
function nowText(progress: Progress): string {
  const rows = Object.fromEntries(partsOf(progress).map((each) => [each.part, each.rows]));
  return t('campaigns.reachedNow', {
    reached: rows['reached'] ?? 0,
    calls: rows['calls'] ?? 0,
    waiting: (rows['queued'] ?? 0) + (rows['waiting'] ?? 0),
  });
}

/** How fast a campaign dials now, and when it will be done. */
function PaceAndEnd({ of: progress }: { of: Progress | undefined }) {
  if (progress === undefined || !mayChange(progress)) return <span className="text-hint">–</span>;
  const { dials_last_minute: dials, estimated_completion_at: doneAt } = progress;
  return (
    <span className="text-12 block whitespace-nowrap">
      <span className="block">{t('campaigns.dialsPerMinute', { n: dials })}</span>
      {doneAt !== null && (
        <span className="text-muted block">{t('campaigns.doneAbout', { at: moment(doneAt) })}</span>
      )}
    </span>
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
  // The question before a stop must not become the one before a resume under the hand that has just answered it.
  const [asked, setAsked] = useState<'stop' | 'resume' | null>(null);
  const [hangUp, setHangUp] = useState<'none' | 'unanswered' | 'all'>('none');
  const { data } = useQuery(get('/organizations/dialing', {}));
  if (data === undefined) return null;
  const close = (which: 'stop' | 'resume') => setAsked((now) => (now === which ? null : now));
  const done = async () => {
    await Promise.all(
      ['/organizations/dialing', '/campaign/'].map((path) => queries.invalidateQueries({ queryKey: [path] })),
    );
  };
  if (data.is_stopped)
    return (
      <>
        <Button icon={Play} needs="admin" onPress={() => setAsked('resume')}>
          {t('campaigns.resumeAll')}
        </Button>
        {asked === 'resume' && (
          <Confirm
            title={t('campaigns.resumeAll')}
            button={t('campaigns.resumeAll')}
            isDanger={false}
            isBlocked={data.operator_stopped_at !== null}
            onClose={() => close('resume')}
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
      <Button kind="danger" icon={CircleStop} needs="dialing:stop" onPress={() => setAsked('stop')}>
        {t('campaigns.stopAll')}
      </Button>
      {asked === 'stop' && (
        <Confirm
          title={t('campaigns.stopAllTitle')}
          button={t(`campaigns.stopAllDo.${hangUp}`)}
          onClose={() => close('stop')}
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
