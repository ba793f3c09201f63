import '../../styles/home.css';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link, Navigate } from '@tanstack/react-router';
import type { Scope } from '../../../../src/contract/data/scopes.ts';
import { isNew, onboarding } from '../../app/onboarding.ts';
import { call } from '../../app/api.ts';
import { nowDate } from '../../app/clock.ts';
import { count, duration } from '../../app/format.ts';
import { useNow } from '../../app/now.ts';
import { get, queries } from '../../app/query.ts';
import { useMay } from '../../app/may.ts';
import { t } from '../../app/words.ts';
import { Count, SeverityIcon, State, Tag } from '../../parts/badge.tsx';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { cx } from '../../parts/cx.ts';
import { Page } from '../../parts/page.tsx';
import { Failure, Skeleton } from '../../parts/states.tsx';
import { toast } from '../../parts/toast.tsx';
import { When } from '../../parts/when.tsx';
import { numberOf, personOf } from '../call/facts.ts';
import { apiFilters, parseFilters } from '../calls/filters.ts';
import { nameOf } from '../calls/names.ts';
import { useNumberText } from '../../app/numbers.ts';
import { type Campaign, standingOf } from '../campaigns/facts.ts';
import { ListedProgress, moment, StandingTag, waitText } from '../campaigns/words.tsx';
import { countDeliveries } from '../webhooks/count-deliveries.ts';
import { failureFilters, failuresOf, needsOf, type Need, openCampaigns } from './figures.ts';
import { Today } from './today.tsx';

const often = { refetchInterval: 5000 };
const hourMs = 3_600_000;
/** More failures of an hour are only counted. */
const readFailures = 100;

/** What the list of calls asks for with such filters, so that its rows are those that are counted here. */
const askedBy = (q: string, now: number): { filters?: string } => {
  const { text } = apiFilters(parseFilters(q).filters, { agents: [], now: new Date(now) });
  return text === undefined ? {} : { filters: text };
};
const live = 'status:live';

/** Now, what needs a person, and today. New users see the first run before it, once. */
export function HomePage() {
  const state = useQuery(onboarding);
  const isBuilding = useMay()('agents:write');
  if (state.data !== undefined && isNew(state.data) && isBuilding) return <Navigate to="/welcome" replace />;
  return (
    <Page title={t('frame.home')} isFlush>
      {state.isPending ? (
        <Skeleton />
      ) : (
        <div className="home">
          {isBuilding && <Begin />}
          <section className="now">
            <OnTheLine />
            <Campaigns />
          </section>
          <Needs />
          <Today />
        </div>
      )}
    </Page>
  );
}

function Begin() {
  const agents = useQuery(get('/workflow/overview', { query: { limit: 1 } }));
  const calls = useQuery(get('/organizations/usage/runs', { query: { limit: 1 } }));
  const carriers = useQuery(get('/organizations/telephony-configs', {}));
  const webhooks = useQuery(get('/webhook-endpoints', {}));
  const campaigns = useQuery(get('/campaign/', { query: { limit: 1, logs: 0 } }));
  if (!agents.data || !calls.data || !carriers.data || !webhooks.data || !campaigns.data) return null;
  const { configurations } = carriers.data;
  const steps = [
    { id: 'call', to: '/welcome', isDone: calls.data.total_count > 0, isNeeded: true },
    { id: 'agent', to: '/agents', isDone: agents.data.total_count > 0, isNeeded: true },
    { id: 'carrier', to: '/telephony', isDone: configurations.length > 0, isNeeded: true },
    {
      id: 'number',
      to: '/telephony',
      isDone: configurations.some(({ phone_number_count: numbers }) => numbers > 0),
      isNeeded: true,
    },
    { id: 'webhook', to: '/webhooks', isDone: webhooks.data.length > 0, isNeeded: false },
    { id: 'campaign', to: '/campaigns/new', isDone: campaigns.data.total_count > 0, isNeeded: false },
  ] as const;
  if (steps.every(({ isDone, isNeeded }) => isDone || !isNeeded)) return null;
  const done = steps.filter(({ isDone }) => isDone).length;
  return (
    <Card
      className="begin"
      title={
        <>
          {t('home.begin')} <Count of={t('home.beginOf', { done, total: steps.length })} />
        </>
      }
    >
      <ul>
        {steps.map(({ id, to, isDone }) => (
          <li key={id}>
            <State is={isDone ? 'published' : 'none'}>{t(isDone ? 'home.done' : 'home.open')}</State>
            <span className="what">
              <b>{t(`home.step.${id}`)}</b> <span className="t-2">{t(`home.step.${id}Why`)}</span>
            </span>
            {!isDone && (
              <Link to={to} className="btn xs">
                {t(`home.step.${id}Do`)}
              </Link>
            )}
          </li>
        ))}
      </ul>
    </Card>
  );
}

function OnTheLine() {
  const now = useNow();
  const numberText = useNumberText();
  const calls = useQuery({
    ...get('/organizations/usage/runs', { query: { limit: 5, ...askedBy(live, now) } }),
    ...often,
  });
  const { data: limits } = useQuery(get('/organizations/campaign-defaults', {}));
  const lines = limits?.concurrent_call_limit;
  return (
    <Card
      title={t('home.onLine')}
      aside={
        <Link to="/calls" search={{ q: live }} className="small link">
          {t('home.allLive')}
        </Link>
      }
    >
      {calls.data === undefined ? (
        calls.isError ? (
          <Failure error={calls.error} onRetry={() => void calls.refetch()} />
        ) : (
          <Skeleton rows={3} />
        )
      ) : (
        <>
          <div className="lead">
            <Link to="/calls" search={{ q: live }} className="big">
              {count(calls.data.total_count)}
            </Link>
            {lines !== undefined && <span className="t-2">{t('home.ofLines', { lines })}</span>}
            {lines !== undefined && lines <= 40 && (
              <span className="lines" aria-hidden>
                {Array.from({ length: lines }, (_, index) => (
                  <i key={index} className={cx(index < (calls.data.total_count ?? 0) && 'on')} />
                ))}
              </span>
            )}
          </div>
          {calls.data.total_count === 0 && <p className="quiet">{t('home.noneLive')}</p>}
          <ul className="calls">
            {calls.data.runs.map((run) => (
              <li key={run.id}>
                <Link
                  to="/calls/$agentId/$runId"
                  params={{ agentId: String(run.workflow_id), runId: String(run.id) }}
                  className="line"
                >
                  <b className={cx('cut', isNumberAlone(run) && 'mono')}>{nameOf(run, numberText)}</b>
                  {run.current_node === null ? (
                    <Tag is="machine">
                      {t(run.call_type === 'inbound' ? 'home.inbound' : 'home.outbound')}
                    </Tag>
                  ) : (
                    <Tag is="agent">
                      <span className="cut">{run.current_node}</span>
                    </Tag>
                  )}
                  <span className="cut t-2">{run.workflow_name ?? run.name}</span>
                  <span className="num ink">{duration((now - Date.parse(run.created_at)) / 1000)}</span>
                </Link>
              </li>
            ))}
          </ul>
        </>
      )}
    </Card>
  );
}

const isNumberAlone = (run: Parameters<typeof numberOf>[0]): boolean =>
  personOf(run) === null && numberOf(run) !== null;

const shownCampaigns = 4;
/** Those that are not over; of these, those that need a person. */
const openOnes = get('/campaign/', { query: { standing: 'open', limit: 100, logs: 0 } });

function Campaigns() {
  const campaigns = useQuery({ ...openOnes, ...often });
  const open = openCampaigns(campaigns.data?.standing_counts);
  const shown = campaigns.data?.campaigns.slice(0, shownCampaigns) ?? [];
  return (
    <Card
      title={t('home.campaigns')}
      aside={
        <span className="row small">
          {open.map(({ state, count: n }) => (
            <Link key={state} to="/campaigns" search={{ state }} className="link">
              {t(`home.campaigns.${state}`, { n })}
            </Link>
          ))}
          {open.length === 0 && (
            <Link to="/campaigns" className="link">
              {t('home.all')}
            </Link>
          )}
        </span>
      }
    >
      {campaigns.data === undefined ? (
        campaigns.isError ? (
          <Failure error={campaigns.error} onRetry={() => void campaigns.refetch()} />
        ) : (
          <Skeleton rows={3} />
        )
      ) : shown.length === 0 ? (
        <p className="quiet">{t('home.noCampaigns')}</p>
      ) : (
        <ul className="camps">
          {shown.map((campaign) => (
            <li key={campaign.id}>
              <Link to="/campaigns/$id" params={{ id: String(campaign.id) }} className="camp">
                <span className="row">
                  <b className="ink semi cut">{campaign.name}</b>
                  <span className="grow" />
                  <End of={campaign} />
                  <StandingTag of={standingOf(campaign)} />
                </span>
                <ListedProgress of={campaign} />
                <Waits of={campaign} />
              </Link>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

const estimateMs = 60_000;

/** When everybody will have been called once. */
function End({ of: campaign }: { of: Campaign }) {
  const { data } = useQuery({
    ...get('/campaign/{campaign_id}/estimate', { params: { campaign_id: campaign.id } }),
    enabled: standingOf(campaign) === 'running',
    refetchInterval: estimateMs,
  });
  if (standingOf(campaign) !== 'running' || data === undefined || data.all_called_at === null) return null;
  return (
    <span className="end small t-2 whitespace-nowrap">
      {t('home.campaignEnd', { at: moment(data.all_called_at) })}
    </span>
  );
}

function Waits({ of }: { of: Parameters<typeof waitText>[0] }) {
  const words = waitText(of);
  return words !== '' && <span className="small t-2">{words}</span>;
}

/** What needs a person, and the questions that say it. */
export function useNeeds(often: { refetchInterval: number }) {
  const now = useNow();
  // The last full minute, so that the question stays the same within it.
  const since = new Date(Math.floor(now / 60_000) * 60_000 - hourMs);
  const dialing = useQuery({ ...get('/organizations/dialing', {}), ...often });
  const endpoints = useQuery({ ...get('/webhook-endpoints', { query: { state: 'off' } }), ...often });
  const campaigns = useQuery({ ...openOnes, ...often });
  const carriersNow = useQuery({ ...get('/organizations/telephony-configs', {}), ...often });
  const warnings = useQuery(get('/organizations/telephony-config-warnings', {}));
  const agents = useQuery(get('/workflow/overview', { query: { status: 'active', limit: 500 } }));
  const failed = useQuery({
    ...get('/organizations/usage/runs', {
      query: { limit: readFailures, ...askedBy(failureFilters(since, null), now) },
    }),
    ...often,
    placeholderData: (before) => before,
  });
  const deadLetters = useQuery({
    queryKey: ['/webhook-deliveries', 'count', 'dead_letter'],
    queryFn: async ({ signal }) =>
      await countDeliveries({ state: 'dead_letter', to: nowDate().toISOString() }, signal),
    refetchInterval: 60_000,
  });
  const all = [dialing, endpoints, campaigns, carriersNow, warnings, agents, failed, deadLetters];
  const broken = all.find(({ isError, data }) => isError && data === undefined);
  const needs = needsOf({
    dialing: dialing.data,
    endpoints: endpoints.data,
    campaigns: campaigns.data?.campaigns,
    connections: carriersNow.data?.configurations,
    failures: failuresOf(failed.data?.runs ?? [], failed.data?.total_count ?? 0),
    deadLetters: deadLetters.data,
    warnings: warnings.data,
    agents: agents.data?.items,
    now: new Date(now),
  });
  return { needs, all, broken, since };
}

export function Needs() {
  const { needs, all, broken, since } = useNeeds(often);
  return (
    <Card
      className="needs"
      title={
        <>
          {t('home.needs')} {needs.length > 0 && <Count of={needs.length} />}
        </>
      }
      aside={needs.length > 1 && <span className="small t-3 hide-s">{t('home.needsOrder')}</span>}
    >
      {broken !== undefined && <Failure error={broken.error} onRetry={() => void broken.refetch()} />}
      {needs.length === 0 && broken === undefined ? (
        all.some(({ isPending }) => isPending) ? (
          <Skeleton rows={2} />
        ) : (
          <p className="quiet">
            <SeverityIcon is="ok" /> {t('home.nothingNeeded')}
          </p>
        )
      ) : (
        <ul>
          {needs.map((need) => (
            <li key={keyOf(need)}>
              <SeverityIcon is={need.is} />
              <span className="what">
                <Words need={need} since={since} />
              </span>
              <span className="age">{need.at !== null && <When at={need.at} />}</span>
              <Fix need={need} since={since} />
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

function keyOf(need: Need): string {
  if (need.kind === 'endpoint') return need.endpointId;
  if (need.kind === 'draft') return `draft ${need.agentId}`;
  if (need.kind === 'tripped') return `campaign ${need.campaignId}`;
  if (need.kind === 'blocked') return `connection ${need.connectionId}`;
  if (need.kind === 'failed') return `failed ${need.disposition}`;
  return need.kind === 'unsigned' ? need.provider : need.kind;
}

const carriers = { telnyx: 'Telnyx', vonage: 'Vonage' } as const;

function Words({ need, since }: { need: Need; since: Date }) {
  switch (need.kind) {
    case 'dialing':
      return (
        <>
          <b>{t('home.need.dialingTitle')}</b>{' '}
          {t(need.isByOperator ? 'home.need.dialingOperator' : 'home.need.dialingWhy')}
        </>
      );
    case 'endpoint':
      return (
        <>
          <b>{need.host}</b> {t('home.need.endpointWhy')}
        </>
      );
    case 'tripped':
      return (
        <>
          <b>{need.name}</b> {t('home.need.trippedWhy')}
        </>
      );
    case 'blocked':
      return (
        <>
          <b>{need.name}</b> {t('home.need.blockedWhy')}
        </>
      );
    case 'failed':
      return (
        <>
          <Link to="/calls" search={{ q: failureFilters(since, need.disposition) }}>
            <b>{t('home.need.failedCalls', { n: need.calls })}</b>
          </Link>{' '}
          {t(need.disposition === null ? 'home.need.failedMany' : `home.need.failed.${need.disposition}`, {
            n: need.calls,
          })}
          {need.said !== null && <span className="t-2"> “{need.said}”</span>}
        </>
      );
    case 'deadLetters':
      return (
        <>
          <Link to="/webhooks" search={{ state: 'dead_letter' }}>
            <b>{t('home.need.deadLetters', { n: need.deliveries, more: String(need.isMore) })}</b>
          </Link>{' '}
          {t('home.need.deadLettersWhy', { n: need.deliveries })}
        </>
      );
    case 'unsigned':
      return (
        <>
          <b>{t('home.need.unsigned', { n: need.connections, provider: carriers[need.provider] })}</b>{' '}
          {t('home.need.unsignedWhy', { n: need.connections })}
        </>
      );
    case 'draft':
      return (
        <>
          <b>{need.name}</b> {t('home.need.draftWhy', { n: need.changes })}
        </>
      );
  }
}

/** Where the part is set up that a disposition says has failed. */
const roomOfFault: Readonly<Record<string, '/models' | '/telephony'>> = {
  pipeline_error: '/models',
  system_connect_error: '/telephony',
  failed: '/telephony',
};

/** The button that repairs it. */
function Fix({ need, since }: { need: Need; since: Date }) {
  switch (need.kind) {
    case 'dialing':
      return need.isByOperator ? null : <Resume />;
    case 'endpoint':
      return <TurnOn id={need.endpointId} host={need.host} />;
    case 'tripped':
      return (
        <Link className="btn xs" to="/campaigns/$id" params={{ id: String(need.campaignId) }}>
          {t('home.need.seeCampaign')}
        </Link>
      );
    case 'blocked':
      return (
        <Link className="btn xs" to="/telephony">
          {t('home.need.seeConnection')}
        </Link>
      );
    case 'failed': {
      const room = roomOfFault[need.disposition ?? ''];
      return room === undefined ? (
        <Link className="btn xs" to="/calls" search={{ q: failureFilters(since, need.disposition) }}>
          {t('home.need.seeCalls')}
        </Link>
      ) : (
        <Link className="btn xs" to={room}>
          {t(room === '/models' ? 'home.need.seeModels' : 'home.need.seeTelephony')}
        </Link>
      );
    }
    case 'deadLetters':
      return (
        <Link className="btn xs" to="/webhooks" search={{ state: 'dead_letter' }}>
          {t('home.need.seeDeliveries')}
        </Link>
      );
    case 'unsigned':
      return (
        <Link className="btn xs" to="/telephony">
          {t('home.need.addKey')}
        </Link>
      );
    case 'draft':
      return (
        <Link className="btn xs" to="/agents/$agentId" params={{ agentId: String(need.agentId) }}>
          {t('home.need.openDraft')}
        </Link>
      );
  }
}

function Resume() {
  const resume = useMutation({
    mutationFn: () => call('post', '/organizations/dialing/resume', {}),
    onSuccess: ({ body }) => {
      queries.setQueryData(get('/organizations/dialing', {}).queryKey, body);
      toast(t('home.need.resumed'));
    },
  });
  return <Act words={t('home.need.resume')} needs="admin" act={resume} />;
}

function TurnOn({ id, host }: { id: string; host: string }) {
  const turnOn = useMutation({
    mutationFn: () =>
      call('post', '/webhook-endpoints/{endpoint_id}/turn-on', { params: { endpoint_id: id } }),
    onSuccess: ({ body }) => {
      toast(t('home.need.turnedOn', { host, n: body.queued }));
      void queries.invalidateQueries({ queryKey: ['/webhook-endpoints'] });
    },
  });
  return <Act words={t('home.need.turnOn')} needs="webhooks:replay" act={turnOn} />;
}

function Act({
  words,
  needs,
  act,
}: {
  words: string;
  needs: Scope;
  act: { mutate: () => void; isPending: boolean; error: Error | null };
}) {
  return (
    <span className="fix">
      <Button size="xs" needs={needs} isDisabled={act.isPending} onPress={() => act.mutate()}>
        {words}
      </Button>
      {act.error !== null && (
        <span role="alert" className="small text-bad-text">
          {act.error.message}
        </span>
      )}
    </span>
  );
}
