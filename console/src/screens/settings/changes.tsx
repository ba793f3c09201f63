import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, type LinkProps } from '@tanstack/react-router';
import { useState } from 'react';
import type { AuditEntry } from '../../../../src/contract/audit-log.ts';
import { call } from '../../app/api.ts';
import { get } from '../../app/query.ts';
import { hasWords, t } from '../../app/words.ts';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { Select } from '../../parts/select.tsx';
import { Empty, Loaded, NothingMatches } from '../../parts/states.tsx';
import { When } from '../../parts/when.tsx';
import { operationText, placeText, valueText } from './change-words.ts';
import type { SettingsSearch } from './search.ts';

const route = getRouteApi('/settings');
const path = '/organizations/audit-log';
const all = 'all';
const kinds = [
  'agent',
  'call',
  'campaign',
  'organization',
  'member',
  'api_key',
  'tool',
  'credential',
] as const;

/** Who changed what, newest first; a change opens to its old and new values. */
export function Changes() {
  const { of, request, who, from, to } = route.useSearch();
  const navigate = route.useNavigate();
  const members = useQuery(get('/organizations/members', {}));
  const narrow = (next: Partial<SettingsSearch>) =>
    void navigate({ search: (now) => ({ ...now, tab: 'changes', ...next }) });
  const query = useInfiniteQuery({
    queryKey: [path, of, request, who, from, to],
    queryFn: async ({ pageParam, signal }) =>
      (
        await call('get', path, {
          query: {
            limit: 50,
            ...(of === undefined ? {} : { object_type: of }),
            ...(request === undefined ? {} : { request_id: request }),
            ...(who === undefined ? {} : { actor_type: 'user' as const, actor_id: who }),
            ...(from === undefined ? {} : { from: startOfDay(from, 0) }),
            ...(to === undefined ? {} : { to: startOfDay(to, 1) }),
            ...(pageParam === '' ? {} : { cursor: pageParam }),
          },
          signal,
        })
      ).body,
    initialPageParam: '',
    getNextPageParam: ({ next_cursor: next }) => next,
  });
  const agents = useQuery(get('/organizations/reports/workflows', {}));
  const names = new Map(agents.data?.map(({ id, name }) => [String(id), name]));
  const isNarrowed = [of, request, who, from, to].some((each) => each !== undefined);
  const entries = query.data?.pages.flatMap(({ items }) => items) ?? [];
  return (
    <div className="room">
      <Card title={t('settings.changes')}>
        <div className="changes-filter">
          {(['from', 'to'] as const).map((end) => (
            <input
              key={end}
              type="date"
              className="input"
              aria-label={t(`settings.changes.${end}`)}
              value={{ from, to }[end] ?? ''}
              onChange={({ target }) => narrow({ [end]: target.value === '' ? undefined : target.value })}
            />
          ))}
          <Select
            label={t('settings.changesBy')}
            isLabelHidden
            options={[
              { value: all, label: t('settings.anybody') },
              ...(members.data ?? []).map(({ user_id: id, name, email }) => ({
                value: String(id),
                label: name ?? email,
              })),
            ]}
            value={who === undefined ? all : String(who)}
            onChange={(value) => narrow({ who: value === all ? undefined : Number(value) })}
          />
          <Select
            label={t('settings.changesOf')}
            isLabelHidden
            options={[
              { value: all, label: t('settings.allChanges') },
              ...kinds.map((each) => ({ value: each, label: t(`settings.kind.${each}`) })),
            ]}
            value={of ?? all}
            onChange={(value) => narrow({ of: value === all ? undefined : value })}
          />
        </div>
        {request !== undefined && (
          <p className="room-row small t-2">
            <span className="grow">{t('settings.ofRequest', { id: request })}</span>
            <Button size="sm" onPress={() => void navigate({ search: { tab: 'changes' } })}>
              {t('settings.allRequests')}
            </Button>
          </p>
        )}
        <Loaded query={query} rows={6}>
          {() =>
            entries.length === 0 ? (
              isNarrowed ? (
                <NothingMatches onClear={() => void navigate({ search: { tab: 'changes' } })} />
              ) : (
                <Empty title={t('settings.noChanges')}>{t('settings.noChangesWhy')}</Empty>
              )
            ) : (
              <ul>
                {entries.map((entry) => (
                  <Change key={entry.id} entry={entry} names={names} />
                ))}
              </ul>
            )
          }
        </Loaded>
        {query.hasNextPage && (
          <div className="card-b">
            <Button isDisabled={query.isFetchingNextPage} onPress={() => void query.fetchNextPage()}>
              {t('settings.older')}
            </Button>
          </div>
        )}
      </Card>
    </div>
  );
}

/** The first moment of a day of the reader, or of one that many days later. */
function startOfDay(day: string, after: number): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  return new Date(year, month - 1, date + after).toISOString();
}

function Change({ entry, names }: { entry: AuditEntry; names: ReadonlyMap<string, string> }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <li>
      <button
        type="button"
        className="room-row w-full text-start"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        <span className="grow text-ink">{sentenceOf(entry, names)}</span>
        <span className="text-hint text-12">
          <When at={entry.created_at} />
        </span>
      </button>
      {isOpen && <Diff entry={entry} />}
    </li>
  );
}

/** Who did what to which object, as a sentence. An agent has its name. */
function sentenceOf(
  { actor, action, object_type: type, object_id: id }: AuditEntry,
  names: ReadonlyMap<string, string>,
): string {
  const who =
    actor.type === 'system'
      ? t(actor.name === null ? 'settings.service' : 'settings.servicePart', { part: actor.name ?? '' })
      : (actor.name ?? actor.key_prefix ?? t('settings.service'));
  const words = `settings.did.${action}`;
  const what = hasWords(words) ? t(words) : action.replaceAll(/[._]/g, ' ');
  const kind = `settings.kind.${type}`;
  const object = hasWords(kind) ? t(kind) : type.replaceAll('_', ' ');
  const name = type === 'agent' && id !== null ? names.get(id) : undefined;
  return name === undefined
    ? t('settings.change', { who, what, object, id: id !== null && /^\d+$/.test(id) ? id : 'none' })
    : t('settings.changeOf', { who, what, object, name });
}

/** The page of a changed object. Null: there is none, or its address needs more than its id. */
function pageOf({ object_type: type, object_id: id, action }: AuditEntry): LinkProps | null {
  if (id === null || action.endsWith('.deleted')) return null;
  if (type === 'agent') return { to: '/agents/$agentId', params: { agentId: id } };
  if (type === 'campaign') return { to: '/campaigns/$id', params: { id } };
  if (type === 'directory') return { to: '/contacts/$directoryId', params: { directoryId: id } };
  return null;
}

function Diff({ entry }: { entry: AuditEntry }) {
  const { id, request_id: request } = entry;
  const page = pageOf(entry);
  const query = useQuery(get(`${path}/{entry_id}`, { params: { entry_id: id } }));
  return (
    <Loaded query={query} rows={2}>
      {({ diff, details, diff_is_complete: isComplete }) => {
        const facts = Object.entries(details);
        const operations = diff ?? [];
        return (
          <div className="change-diff">
            {facts.length === 0 && operations.length === 0 && <p>{t('settings.noDetails')}</p>}
            <ul>
              {facts.map(([name, value]) => (
                <li key={name}>
                  {t('settings.detail', { name: placeText(`/${name}`), value: valueText(value) })}
                </li>
              ))}
              {operations.map((operation, index) => (
                <li key={index}>{operationText(operation)}</li>
              ))}
            </ul>
            {(request !== null || page !== null) && (
              <p className="change-links">
                {page !== null && (
                  <Link {...page} className="link">
                    {t('settings.open')}
                  </Link>
                )}
                {request !== null && (
                  <Link to="/settings" search={{ tab: 'changes', request }} className="link">
                    {t('settings.request')} <span className="mono">{request}</span>
                  </Link>
                )}
              </p>
            )}
            {!isComplete && <p className="text-warn-text">{t('settings.cutDiff')}</p>}
          </div>
        );
      }}
    </Loaded>
  );
}
