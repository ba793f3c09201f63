import '../../styles/home.css';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link, Navigate } from '@tanstack/react-router';
import type { Scope } from '../../../../src/contract/data/scopes.ts';
import { isNew, onboarding } from '../../app/onboarding.ts';
import { call } from '../../app/api.ts';
import { count, duration } from '../../app/format.ts';
import { useNow } from '../../app/now.ts';
import { get, queries } from '../../app/query.ts';
import { useMay } from '../../app/may.ts';
import { hasWords, t } from '../../app/words.ts';
import { Count, SeverityIcon, State } from '../../parts/badge.tsx';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { cx } from '../../parts/cx.ts';
import { Page } from '../../parts/page.tsx';
import { Failure, Skeleton } from '../../parts/states.tsx';
import { toast } from '../../parts/toast.tsx';
import { Phone } from '../../parts/phone.tsx';
import { When } from '../../parts/when.tsx';
import { apiFilters, parseFilters } from '../calls/filters.ts';
import { standingOf } from '../campaigns/facts.ts';
import { ListedProgress, StandingTag, waitText } from '../campaigns/words.tsx';
import { faultDispositions, needsOf, type Need } from './figures.ts';
import { Today } from './today.tsx';

const often = { refetchInterval: 5000 };
const hourMs = 3_600_000;

const filtersOf = (attribute: string, value: Record<string, unknown>): string =>
  JSON.stringify([{ attribute, type: 'radio', value }]);
const live = filtersOf('status', { status: 'in_progress' });

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
  const campaigns = useQuery(get('/campaign/', {}));
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
    { id: 'campaign', to: '/campaigns/new', isDone: campaigns.data.campaigns.length > 0, isNeeded: false },
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
  const calls = useQuery({
    ...get('/organizations/usage/runs', { query: { limit: 5, filters: live } }),
    ...often,
  });
  const { data: limits } = useQuery(get('/organizations/campaign-defaults', {}));
  const lines = limits?.concurrent_call_limit;
  return (
    <Card
      title={t('home.onLine')}
      aside={
        <Link to="/calls" search={{ q: 'status:live' }} className="small link">
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
            <Link to="/calls" search={{ q: 'status:live' }} className="big">
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
                  <b className={cx('cut', run.phone_number === null && 'is-alone')}>
                    {run.phone_number === null ? (
                      wordsOfMode(run.mode)
                    ) : (
                      <Phone number={run.phone_number} isBare />
                    )}
                  </b>
                  {run.phone_number !== null && (
                    <span className="tag is-agent">
                      {t(run.call_type === 'inbound' ? 'home.inbound' : 'home.outbound')}
                    </span>
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

const wordsOfMode = (mode: string): string => (hasWords(`home.mode.${mode}`) ? t(`home.mode.${mode}`) : mode);

function Campaigns() {
  const campaigns = useQuery({ ...get('/campaign/', {}), ...often });
  const shown = (campaigns.data?.campaigns ?? []).filter(({ state }) => state !== 'completed').slice(0, 4);
  return (
    <Card
      title={
        <>
          {t('home.campaigns')} {shown.length > 0 && <Count of={shown.length} />}
        </>
      }
      aside={
        <Link to="/campaigns" className="small link">
          {t('home.all')}
        </Link>
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

function Waits({ of }: { of: Parameters<typeof waitText>[0] }) {
  const words = waitText(of);
  return words !== '' && <span className="small t-2">{words}</span>;
}

/** What needs a person, and the questions that say it. */
export function useNeeds(often: { refetchInterval: number }) {
  const now = useNow();
  // The last full minute, so that the question stays the same within it.
  const since = new Date(Math.floor(now / 60_000) * 60_000 - hourMs).toISOString().slice(0, 19);
  const dialing = useQuery({ ...get('/organizations/dialing', {}), ...often });
  const endpoints = useQuery({ ...get('/webhook-endpoints', { query: { state: 'off' } }), ...often });
  const campaigns = useQuery({ ...get('/campaign/', {}), ...often });
  const carriersNow = useQuery({ ...get('/organizations/telephony-configs', {}), ...often });
  const warnings = useQuery(get('/organizations/telephony-config-warnings', {}));
  const agents = useQuery(get('/workflow/overview', { query: { status: 'active', limit: 500 } }));
  const failed = useQuery({
    ...get('/organizations/usage/runs', {
      query: {
        limit: 1,
        start_date: `${since}Z`,
        filters: filtersOf('dispositionCode', { codes: faultDispositions }),
      },
    }),
    placeholderData: (before) => before,
  });
  const isFailing = (failed.data?.total_count ?? 0) > 0;
  // What the link leads to, so that both count the same.
  const { text: filters = '[]' } = apiFilters(parseFilters(failedQuery).filters, {
    agents: [],
    now: new Date(now),
  });
  const failedToday = useQuery({
    ...get('/organizations/usage/runs', { query: { limit: 1, filters } }),
    ...often,
    enabled: isFailing,
  });
  const all = [dialing, endpoints, campaigns, carriersNow, warnings, agents, failed];
  const broken = all.find(({ isError, data }) => isError && data === undefined);
  const needs = needsOf({
    dialing: dialing.data,
    endpoints: endpoints.data,
    campaigns: campaigns.data?.campaigns,
    connections: carriersNow.data?.configurations,
    failedCalls: isFailing ? failedToday.data?.total_count : 0,
    warnings: warnings.data,
    agents: agents.data?.items,
    now: new Date(now),
  });
  return { needs, all, broken };
}

export function Needs() {
  const { needs, all, broken } = useNeeds(often);
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
                <Words need={need} />
              </span>
              <span className="age">{need.at !== null && <When at={need.at} />}</span>
              <Fix need={need} />
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
  return need.kind === 'unsigned' ? need.provider : need.kind;
}

/** The list of calls has days, no hours. */
const failedQuery = [...faultDispositions.map((each) => `outcome:${each}`), 'date:today'].join(' ');

const carriers = { telnyx: 'Telnyx', vonage: 'Vonage' } as const;

function Words({ need }: { need: Need }) {
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
          <Link to="/calls" search={{ q: failedQuery }}>
            <b>{t('home.need.failedCalls', { n: need.calls })}</b>
          </Link>{' '}
          {t('home.need.failedWhy')}
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

/** The button that repairs it. */
function Fix({ need }: { need: Need }) {
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
    case 'failed':
      return (
        <Link className="btn xs" to="/calls" search={{ q: failedQuery }}>
          {t('home.need.seeCalls')}
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
