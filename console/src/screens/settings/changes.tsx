import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, type LinkProps } from '@tanstack/react-router';
import { useState } from 'react';
import type { AuditEntry, AuditEntryDetail } from '../../../../src/contract/audit-log.ts';
import { call } from '../../app/api.ts';
import { get } from '../../app/query.ts';
import { hasWords, t } from '../../app/words.ts';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { Select } from '../../parts/select.tsx';
import { Empty, Loaded } from '../../parts/states.tsx';
import { When } from '../../parts/when.tsx';

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
  const { of, request } = route.useSearch();
  const navigate = route.useNavigate();
  const query = useInfiniteQuery({
    queryKey: [path, of, request],
    queryFn: async ({ pageParam, signal }) =>
      (
        await call('get', path, {
          query: {
            limit: 50,
            ...(of === undefined ? {} : { object_type: of }),
            ...(request === undefined ? {} : { request_id: request }),
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
  const entries = query.data?.pages.flatMap(({ items }) => items) ?? [];
  return (
    <div className="room">
      <Card
        title={t('settings.changes')}
        aside={
          <Select
            label={t('settings.changesOf')}
            isLabelHidden
            options={[
              { value: all, label: t('settings.allChanges') },
              ...kinds.map((each) => ({ value: each, label: t(`settings.kind.${each}`) })),
            ]}
            value={of ?? all}
            onChange={(value) =>
              void navigate({ search: { tab: 'changes', ...(value === all ? {} : { of: value }) } })
            }
          />
        }
      >
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
              <Empty title={t('settings.noChanges')}>{t('settings.noChangesWhy')}</Empty>
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
                  <span className="mono">{name}</span> {shown(value)}
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

type Operation = NonNullable<AuditEntryDetail['diff']>[number];

const shown = (value: unknown): string =>
  typeof value === 'string' ? `“${value}”` : value == null ? '–' : JSON.stringify(value);

function operationText({ op, path: pointer, value, old_value: before }: Operation): string {
  const place = pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .join(' › ');
  return t(`settings.op.${op}`, { place, value: shown(value), before: shown(before) });
}
