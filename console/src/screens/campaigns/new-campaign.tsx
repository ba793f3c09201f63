import '../../styles/rooms.css';
import '../../styles/campaigns.css';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { PhoneCall, Search } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import { ApiError, call } from '../../app/api.ts';
import { count, ownZone } from '../../app/format.ts';
import { useMay } from '../../app/may.ts';
import { get, queries } from '../../app/query.ts';
import { t } from '../../app/words.ts';
import { Confirm, Refusal, useAction } from '../../parts/action.tsx';
import { SeverityIcon } from '../../parts/badge.tsx';
import { Button } from '../../parts/button.tsx';
import { Note } from '../../parts/note.tsx';
import { Page } from '../../parts/page.tsx';
import { Select } from '../../parts/select.tsx';
import { Failure, Skeleton } from '../../parts/states.tsx';
import { Segmented } from '../../parts/tabs.tsx';
import { TextField } from '../../parts/text-field.tsx';
import { toast } from '../../parts/toast.tsx';
import { NotForRole } from '../../parts/why-not.tsx';
import { EstimateOfNew, useEstimate } from './estimate.tsx';
import type { Campaign } from './facts.ts';
import { useConnections } from './connections.ts';
import { BreakerFields, HoursFields, NumbersField, PaceFields, PlanFields } from './fields.tsx';
import { FirstLine, useContact } from './first-line.tsx';
import { useAgentWarnings } from './agent-warnings.ts';
import { type Check, checksOf, type Fix, type Known, recentDays, type Tested } from './launch.ts';
import {
  breakerOf,
  newSettings,
  type Place,
  placeRefusal,
  rulesOf,
  scheduleOf,
  type Settings,
} from './settings.ts';
import { CallMe } from '../telephony/call-me.tsx';
import { tookPlace } from './verbs.tsx';
import { say, weekText } from './words.tsx';

const route = getRouteApi('/campaigns/new');
const orders = ['file', 'priority', 'latest_first', 'closing_window'] as const;

/** A new campaign on one page: who, what, when, how often and how fast; beside it what will happen. */
export function NewCampaignPage() {
  return (
    <Page title={t('campaigns.new')} room={{ to: '/campaigns', label: t('frame.campaigns') }} isFlush>
      {useMay()('calls:trigger') ? <NewCampaign /> : <NotForRole needs="calls:trigger" />}
    </Page>
  );
}

function NewCampaign() {
  const search = route.useSearch();
  const navigate = useNavigate();
  const [settings, setSettings] = useState<Settings>(() => newSettings(ownZone));
  const [directoryId, setDirectory] = useState(search.directory ?? null);
  const [agentId, setAgent] = useState(search.agent ?? null);
  const [chosenConnection, setConnection] = useState<number | null>(null);
  const [faults, setFaults] = useState<Partial<Record<Place, string>>>({});
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const [isStarting, setStarting] = useState(false);
  const [isCallingMe, setCallingMe] = useState(false);

  const [sought, setSought] = useState('');
  const directories = useQuery({
    ...get('/directories', { query: { limit: 100, ...(sought === '' ? {} : { search: sought }) } }),
    placeholderData: keepPreviousData,
  });
  // The chosen one stays known when it is not among those that are shown.
  const chosen = useQuery({
    ...get('/directories/{directory_id}', { params: { directory_id: directoryId ?? 0 } }),
    enabled: directoryId !== null,
  });
  const agents = useQuery(get('/workflow/overview', { query: { status: 'active', limit: 500 } }));
  const limits = useQuery(get('/organizations/campaign-defaults', {}));
  const dialing = useQuery(get('/organizations/dialing', {}));
  const endpoints = useQuery(get('/webhook-endpoints', {}));
  const [tested, setTested] = useState<ReadonlyMap<string, Tested>>(new Map());
  const test = useAction();
  const fit = useQuery({
    ...get('/directories/{directory_id}/fit', {
      params: { directory_id: directoryId ?? 0 },
      query: { workflow_id: agentId ?? 0 },
    }),
    enabled: directoryId !== null && agentId !== null,
  });
  const { query: connections, all, connection, numbers: active } = useConnections(chosenConnection);
  const numbers = active ?? [];
  const directory =
    directoryId === null
      ? undefined
      : (chosen.data ?? directories.data?.directories.find(({ id }) => id === directoryId));
  const agent = agents.data?.items.find(({ id }) => id === agentId);
  const estimate = useEstimate({
    fileKey: directory?.file_key,
    agentId,
    connectionId: chosenConnection,
    settings,
  });
  // How many were called lately is known by leaving them out.
  const withoutRecent = useEstimate({
    fileKey: directory?.file_key,
    agentId,
    connectionId: chosenConnection,
    settings: { ...settings, skipDays: settings.skipDays ?? recentDays },
  });
  const agentWarnings = useAgentWarnings(agent);
  const maySeeRows = useMay()('people:read');
  const contact = useContact(maySeeRows && directory?.totals != null ? directory : undefined);
  const known: Known = {
    directory,
    fit: fit.data,
    agent,
    connection: connections.data === undefined ? undefined : connection,
    numbers:
      active === undefined
        ? undefined
        : settings.numbers.length > 0
          ? settings.numbers.length
          : numbers.length,
    isDialingStopped: dialing.data?.is_stopped,
    agentWarnings,
    endpoints: endpoints.data?.filter(({ workflow_id: id, is_published: is }) => is && id === agentId),
    tested,
    suppressed: estimate.data?.suppressed,
    recentlyCalled: withoutRecent.data?.recently_called,
    settings,
  };
  const change = (next: Partial<Settings>) => {
    setSettings((now) => ({ ...now, ...next }));
    setFaults({});
    setError(null);
  };
  const mend = (fix: Fix) => {
    if (fix.does === 'skipRecent') return change({ skipDays: recentDays });
    test.run(async () => {
      const { body } = await call('post', '/webhook-endpoints/{endpoint_id}/test', {
        params: { endpoint_id: fix.endpointId },
      });
      const why = body.error ?? (body.status_code === null ? '' : `HTTP ${body.status_code}`);
      setTested((now) => new Map([...now, [fix.endpointId, { isReached: body.status === 'success', why }]]));
    }, fix.endpointId);
  };
  const clear = (place: Place) => setFaults(({ [place]: _, ...rest }) => rest);

  /** Null if it was refused: the reasons are then at their fields. */
  const create = async (): Promise<Campaign | null> => {
    const missing: Partial<Record<Place, string>> = {
      ...(settings.name.trim() === '' ? { name: t('form.missing') } : {}),
      ...(directory === undefined ? { directory: t('form.missing') } : {}),
      ...(agentId === null ? { agent: t('form.missing') } : {}),
    };
    setFaults(missing);
    setError(null);
    if (directory === undefined || agentId === null || Object.keys(missing).length > 0) {
      focusFault();
      return null;
    }
    setBusy(true);
    try {
      const { body } = await call('post', '/campaign/create', {
        body: {
          name: settings.name.trim(),
          workflow_id: agentId,
          source_type: 'csv',
          source_id: directory.file_key,
          strict: false,
          telephony_configuration_id: chosenConnection,
          max_concurrency: settings.lines,
          schedule_config: scheduleOf(settings),
          circuit_breaker: breakerOf(settings),
          rules: rulesOf(settings),
        },
      });
      // The file says who calls it.
      const changed = ['/campaign/', '/directories', '/directories/{directory_id}'];
      await Promise.all(changed.map((path) => queries.invalidateQueries({ queryKey: [path] })));
      return body;
    } catch (failure) {
      const { at, rest } = failure instanceof ApiError ? placeRefusal(failure) : { at: {}, rest: [''] };
      setFaults(at);
      if (rest.length > 0) setError(failure);
      focusFault();
      return null;
    } finally {
      setBusy(false);
    }
  };
  const open = async ({ id }: Campaign) =>
    await navigate({ to: '/campaigns/$id', params: { id: String(id) } });
  const save = async () => {
    const made = await create();
    if (made === null) return;
    await open(made);
    toast(t('campaigns.did.create', { name: made.name }));
  };
  const start = async () => {
    setStarting(false);
    const made = await create();
    if (made === null) return;
    try {
      const { body } = await call('post', '/campaign/{campaign_id}/start', {
        params: { campaign_id: made.id },
      });
      await tookPlace(body);
      toast(t('campaigns.did.start', { name: made.name }));
    } catch (failure) {
      toast(t('campaigns.madeNotStarted', { why: failure instanceof ApiError ? failure.message : '' }));
    }
    await open(made);
  };

  const listed = directories.data?.directories.length ?? 0;
  const shownDirectories = [
    ...(directory === undefined ||
    directories.data?.directories.some(({ id }) => id === directory.id) === true
      ? []
      : [directory]),
    ...(directories.data?.directories ?? []),
  ];
  const checks = checksOf(known);
  const isBlocked = checks.some(({ is }) => is === 'bad');
  const broken = [directories, agents, connections].find(
    ({ isError, data }) => isError && data === undefined,
  );
  const isLoading = [directories, agents, connections].some(({ isPending }) => isPending);
  const fields = { settings, onChange: change, faults };
  return (
    <>
      {broken !== undefined ? (
        <Failure error={broken.error} onRetry={() => void broken.refetch()} />
      ) : isLoading ? (
        <Skeleton rows={10} />
      ) : (
        <div className="campaign-new">
          <form
            className="campaign-form"
            noValidate
            onSubmit={(event) => {
              event.preventDefault();
              void save();
            }}
          >
            <Section id="name">
              <TextField
                label={t('campaigns.name')}
                value={settings.name}
                error={faults.name}
                onChange={(name) => change({ name })}
                placeholder={t('campaigns.nameExample')}
                maxLength={255}
                isRequired
              />
            </Section>
            <Section id="who">
              <DirectoryField
                directories={shownDirectories}
                search={
                  sought !== '' || (directories.data?.total_count ?? 0) > listed ? (
                    <DirectorySearch sought={sought} onSearch={setSought} />
                  ) : null
                }
                value={directoryId}
                fault={faults.directory}
                onChange={(id) => {
                  setDirectory(id);
                  clear('directory');
                }}
              />
            </Section>
            <Section id="what">
              <div className="grid gap-3">
                <Select
                  label={t('campaigns.agent')}
                  error={faults.agent}
                  placeholder={t('campaigns.chooseAgent')}
                  value={agentId === null ? null : String(agentId)}
                  onChange={(value) => {
                    setAgent(Number(value));
                    clear('agent');
                  }}
                  options={(agents.data?.items ?? []).map(({ id, name, published }) => ({
                    value: String(id),
                    label: name,
                    description:
                      published === null
                        ? t('campaigns.notPublished')
                        : t('campaigns.publishedVersion', { version: published.version_number }),
                  }))}
                />
                <div className="row wrap">
                  <Segmented
                    label={t('campaigns.set.version')}
                    value={settings.version}
                    onChange={(version) => change({ version })}
                    options={(['published', 'pinned'] as const).map((id) => ({
                      id,
                      label: t(`campaigns.version.${id}`),
                    }))}
                  />
                  <span className="text-12 text-muted">{t(`campaigns.versionWhat.${settings.version}`)}</span>
                </div>
                {agent?.published != null &&
                  directory !== undefined &&
                  maySeeRows &&
                  (directory.totals === null ? (
                    <Note>{t('campaigns.first.unchecked')}</Note>
                  ) : (
                    <FirstLine
                      agentId={agent.id}
                      version={agent.published.version_number}
                      contact={contact}
                    />
                  ))}
              </div>
            </Section>
            <Section id="from">
              <div className="grid gap-3">
                {all.length === 0 ? (
                  <Note>{t('campaigns.check.noConnection')}</Note>
                ) : (
                  <Select
                    label={t('campaigns.set.connection')}
                    error={faults.connection}
                    value={connection === null ? null : String(connection.id)}
                    onChange={(value) => {
                      setConnection(Number(value));
                      change({ numbers: [] });
                    }}
                    options={all.map((each) => ({
                      value: String(each.id),
                      label: each.name,
                      description: each.is_ready_for_outbound
                        ? t('campaigns.numbersOf', { n: each.phone_number_count })
                        : (each.outbound_blocked_reason ?? ''),
                    }))}
                  />
                )}
                {numbers.length > 0 && (
                  <NumbersField
                    numbers={numbers}
                    chosen={settings.numbers}
                    onChange={(ids) => change({ numbers: ids })}
                    fault={faults.numbers}
                  />
                )}
              </div>
            </Section>
            <Section id="when">
              <HoursFields {...fields} />
            </Section>
            <Section id="often">
              <PlanFields {...fields} />
            </Section>
            <Section id="fast">
              <div className="grid gap-3">
                <PaceFields {...fields} limit={limits.data?.concurrent_call_limit} />
                <BreakerFields {...fields} />
                <Select
                  className="max-w-[300px]"
                  label={t('campaigns.order')}
                  value={settings.order}
                  onChange={(value) => change({ order: orders.find((each) => each === value) ?? 'file' })}
                  options={orders.map((value) => ({ value, label: t(`campaigns.order.${value}`) }))}
                />
              </div>
            </Section>
          </form>
          <aside className="campaign-plan" aria-label={t('campaigns.happens')}>
            <h2 className="caps">{t('campaigns.happens')}</h2>
            <Summary known={known} numbers={numbers.length} limit={limits.data?.concurrent_call_limit} />
            <EstimateOfNew query={estimate} hasFile={directory !== undefined} />
            <h2 className="caps">{t('campaigns.before')}</h2>
            <ul className="checks">
              {checks.map((each, index) => (
                <CheckLine key={`${each.id}${index}`} check={each} isBusy={test.isBusy} onFix={mend} />
              ))}
            </ul>
            <Refusal error={error ?? test.error} />
            <div className="campaign-go">
              {agent !== undefined && contact.chosen !== null && (
                <Button needs="calls:trigger" icon={PhoneCall} onPress={() => setCallingMe(true)}>
                  {t('campaigns.callMe', { row: contact.chosen.row })}
                </Button>
              )}
              <Button needs="calls:trigger" isDisabled={isBusy} onPress={() => void save()}>
                {t('campaigns.createOnly')}
              </Button>
              <Button
                kind="primary"
                needs="calls:trigger"
                isDisabled={isBusy || isBlocked}
                onPress={() => setStarting(true)}
              >
                {t('campaigns.createStart')}
              </Button>
            </div>
          </aside>
        </div>
      )}
      {isCallingMe && agent !== undefined && contact.chosen !== null && (
        <CallMe
          about={{
            title: t('campaigns.callMe', { row: contact.chosen.row }),
            agentId: agent.id,
            values: contact.chosen.values,
            connectionId: chosenConnection,
            notes: [
              t('campaigns.callMeWhat', { row: contact.chosen.row }),
              ...(agent.draft === null ? [] : [t('campaigns.callMeDraft')]),
            ],
          }}
          onClose={() => setCallingMe(false)}
        />
      )}
      {isStarting && (
        <Confirm
          title={t('campaigns.ask.start', { name: settings.name.trim() || t('campaigns.newOne') })}
          button={t('campaigns.createStart')}
          isDanger={false}
          onClose={() => setStarting(false)}
          onConfirm={start}
        >
          <p>{t('campaigns.what.start', { rows: directory?.totals?.ok ?? 0, calls: 0 })}</p>
        </Confirm>
      )}
    </>
  );
}

/** Brings the person to the first refused field once it is marked. */
function focusFault(): void {
  setTimeout(() => {
    const fault = document.querySelector<HTMLElement>(
      '.campaign-form [aria-invalid="true"], .campaign-form [data-invalid] button, .campaign-form [data-fault]',
    );
    fault?.scrollIntoView({ block: 'center' });
    fault?.focus();
  });
}

function Section({ id, children }: { id: string; children: ReactNode }) {
  return (
    <section className="campaign-part" aria-labelledby={`part-${id}`}>
      <h2 id={`part-${id}`}>{t(`campaigns.step.${id}`)}</h2>
      <div className="min-w-0">{children}</div>
    </section>
  );
}

const searchMs = 300;

/** Finds a directory that is not among the newest. */
function DirectorySearch({ sought, onSearch }: { sought: string; onSearch: (text: string) => void }) {
  const [text, setText] = useState(sought);
  useEffect(() => {
    const timer = setTimeout(() => onSearch(text.trim()), searchMs);
    return () => clearTimeout(timer);
  }, [text, onSearch]);
  return (
    <label className="find input">
      <Search className="i" aria-hidden size={14} strokeWidth={1.5} />
      <input
        type="search"
        aria-label={t('campaigns.findDirectory')}
        placeholder={t('campaigns.findDirectory')}
        maxLength={255}
        value={text}
        onChange={({ target }) => setText(target.value)}
      />
    </label>
  );
}

function DirectoryField({
  directories,
  search,
  value,
  fault,
  onChange,
}: {
  /** If there are more than are shown. */
  search: ReactNode;
  directories: readonly { id: number; name: string; file_name: string; totals: { ok: number } | null }[];
  value: number | null;
  fault: string | undefined;
  onChange: (id: number) => void;
}) {
  if (directories.length === 0 && search === null)
    return (
      <div className="grid gap-2">
        <Note>{t('campaigns.noDirectories')}</Note>
        <div>
          <Link to="/contacts" className="btn">
            {t('campaigns.toContacts')}
          </Link>
        </div>
      </div>
    );
  return (
    <div className="grid gap-2">
      {search}
      <Select
        label={t('campaigns.directory')}
        error={fault}
        placeholder={t('campaigns.chooseDirectory')}
        value={value === null ? null : String(value)}
        onChange={(id) => onChange(Number(id))}
        options={directories.map(({ id, name, file_name: file, totals }) => ({
          value: String(id),
          label: name,
          ...(totals !== null
            ? {
                description: t('campaigns.contactsOf', { n: totals.ok, file: file === name ? 'none' : file }),
              }
            : file === name
              ? {}
              : { description: file }),
        }))}
      />
    </div>
  );
}

/** What the campaign will do, in a sentence that follows every change. */
function Summary({ known, numbers, limit }: { known: Known; numbers: number; limit: number | undefined }) {
  const { directory, agent, settings } = known;
  const lines = Math.min(
    settings.lines ?? limit ?? Infinity,
    limit ?? Infinity,
    numbers === 0 ? Infinity : numbers,
  );
  const people = directory?.totals?.ok;
  return (
    <p className="campaign-summary">
      {[
        people === undefined
          ? t(directory === undefined ? 'campaigns.sum.nobody' : 'campaigns.sum.contacts', {
              name: directory?.name ?? '',
            })
          : t('campaigns.sum.people', { n: people }),
        agent === undefined ? t('campaigns.sum.noAgent') : t('campaigns.sum.agent', { agent: agent.name }),
        settings.isAnyHour
          ? t('campaigns.sum.anyHour')
          : t(`campaigns.sum.hours.${settings.clock}`, {
              week: weekText(settings.week) || t('campaigns.closed'),
              zone: settings.timeZone,
            }),
        Number.isFinite(lines) && numbers > 0
          ? t('campaigns.sum.lines', { n: lines, count: count(lines) })
          : '',
      ]
        .filter((each) => each !== '')
        .join(' ')}
      .
    </p>
  );
}

function CheckLine({ check, isBusy, onFix }: { check: Check; isBusy: boolean; onFix: (fix: Fix) => void }) {
  const { fix } = check;
  return (
    <li>
      <SeverityIcon is={check.is} />
      <span>
        {say(check)}
        {fix !== undefined && (
          <>
            {' '}
            <Button
              size="xs"
              needs={fix.does === 'test' ? 'webhooks:replay' : 'calls:trigger'}
              isDisabled={isBusy}
              onPress={() => onFix(fix)}
            >
              {t(`campaigns.fix.${fix.does}`, { days: recentDays })}
            </Button>
          </>
        )}
        {check.to !== undefined && (
          <>
            {' '}
            <Link
              to={check.to}
              {...(check.params === undefined ? {} : { params: check.params })}
              className="link in-text"
            >
              {t('campaigns.lookAt')}
            </Link>
          </>
        )}
      </span>
    </li>
  );
}
