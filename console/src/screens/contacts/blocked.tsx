import '../../styles/rooms.css';
import '../../styles/contacts.css';
import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { Download, Plus, Search, Upload } from 'lucide-react';
import { useRef, useState } from 'react';
import type { Suppression } from '../../../../src/contract/suppressions.ts';
import { call } from '../../app/api.ts';
import { useMay } from '../../app/may.ts';
import { saveFile } from '../../app/save-file.ts';
import { useKeys } from '../../app/shortcuts.ts';
import { useNumberText } from '../../app/numbers.ts';
import { t } from '../../app/words.ts';
import { NumbersToggle } from '../calls/numbers-toggle.tsx';
import { Refusal, useAction } from '../../parts/action.tsx';
import { Button } from '../../parts/button.tsx';
import { DataList } from '../../parts/data-list.tsx';
import { Page } from '../../parts/page.tsx';
import { Empty, Failure, NothingMatches, Skeleton } from '../../parts/states.tsx';
import { Phone } from '../../parts/phone.tsx';
import { When } from '../../parts/when.tsx';
import { NotForRole } from '../../parts/why-not.tsx';
import { AddNumbers, ImportNumbers, UnblockNumber } from './blocked-dialogs.tsx';

const route = getRouteApi('/contacts/blocked');
const path = '/suppressions';
const pageKeys = { '/': t('contacts.findNumber') };

type Opened = { kind: 'add' | 'import' } | { kind: 'remove'; number: Suppression };

/** Numbers that are never dialed, why, and since when. */
export function BlockedPage() {
  const { q = '' } = route.useSearch();
  const navigate = route.useNavigate();
  const [opened, setOpened] = useState<Opened | null>(null);
  const close = () => setOpened(null);
  const saving = useAction();
  const seesNumbers = useMay()('people:read');
  const query = useInfiniteQuery({
    queryKey: [path, q],
    queryFn: async ({ pageParam, signal }) =>
      (
        await call('get', path, {
          query: {
            limit: 50,
            ...(q === '' ? {} : { number: q }),
            ...(pageParam === '' ? {} : { cursor: pageParam }),
          },
          signal,
        })
      ).body,
    initialPageParam: '',
    getNextPageParam: ({ next_cursor: next }) => next,
    enabled: seesNumbers,
  });
  const rows = query.data?.pages.flatMap(({ items }) => items);
  const find = (next: string) => void navigate({ search: next === '' ? {} : { q: next }, replace: true });
  const hasNumbers = q !== '' || (rows !== undefined && rows.length > 0);
  const add = (
    <Button kind="primary" icon={Plus} needs="calls:trigger" onPress={() => setOpened({ kind: 'add' })}>
      {t('contacts.block')}
    </Button>
  );
  return (
    <Page
      title={t('contacts.blocked')}
      room={{ to: '/contacts', label: t('frame.contacts') }}
      isFlush
      needs={['calls:trigger']}
      actions={
        <>
          <Button
            icon={Upload}
            kind="ghost"
            needs="calls:trigger"
            onPress={() => setOpened({ kind: 'import' })}
          >
            {t('contacts.import')}
          </Button>
          <Button
            icon={Download}
            kind="ghost"
            className="hide-s"
            needs="people:read"
            isDisabled={saving.isBusy || !hasNumbers}
            onPress={() => saving.run(async () => await saveFile(`${path}/export`))}
          >
            {t('contacts.export')}
          </Button>
          {hasNumbers && add}
        </>
      }
    >
      <Refusal error={saving.error} />
      {hasNumbers && seesNumbers && <NumberSearch key={q === '' ? 'none' : 'some'} q={q} onFind={find} />}
      {!seesNumbers ? (
        <NotForRole needs="people:read" />
      ) : rows === undefined ? (
        query.isError ? (
          <Failure error={query.error} onRetry={() => void query.refetch()} />
        ) : (
          <Skeleton />
        )
      ) : rows.length === 0 ? (
        q === '' ? (
          <Empty title={t('contacts.noBlocked')} action={add}>
            {t('contacts.noBlockedWhy')}
          </Empty>
        ) : (
          <NothingMatches filters={[{ words: `“${q}”`, remove: () => find('') }]} onClear={() => find('')} />
        )
      ) : (
        <>
          <Numbers
            rows={rows}
            isPart={query.hasNextPage}
            onRemove={(number) => setOpened({ kind: 'remove', number })}
          />
          {query.hasNextPage && (
            <div className="p-4">
              <Button isDisabled={query.isFetchingNextPage} onPress={() => void query.fetchNextPage()}>
                {t('contacts.more')}
              </Button>
            </div>
          )}
        </>
      )}
      {opened?.kind === 'add' && <AddNumbers onClose={close} />}
      {opened?.kind === 'import' && <ImportNumbers onClose={close} />}
      {opened?.kind === 'remove' && <UnblockNumber of={opened.number} onClose={close} />}
    </Page>
  );
}

function Numbers({
  rows,
  isPart,
  onRemove,
}: {
  rows: readonly Suppression[];
  isPart: boolean;
  onRemove: (number: Suppression) => void;
}) {
  const numberText = useNumberText();
  return (
    <DataList
      label={t('contacts.blocked')}
      className="blocked"
      isPart={isPart}
      rows={rows}
      idOf={({ id }) => String(id)}
      columns={[
        {
          id: 'number',
          label: t('contacts.number'),
          cell: ({ phone_number: number }) => <Phone number={`+${number}`} />,
        },
        {
          id: 'why',
          label: t('contacts.why'),
          cell: ({ source, reason }) => (
            <span className="blocked-why">
              <span>{t(`contacts.source.${source}`)}</span>
              {reason !== null && (
                <span className="text-muted cut" title={reason}>
                  {reason}
                </span>
              )}
            </span>
          ),
        },
        {
          id: 'call',
          label: t('contacts.call'),
          isWide: true,
          cell: ({ run_id: run }) =>
            run === null ? (
              <span className="text-hint">–</span>
            ) : (
              <Link to="/calls" search={{ q: `call:${run}` }} className="link">
                #{run}
              </Link>
            ),
        },
        {
          id: 'since',
          label: t('contacts.since'),
          isWide: true,
          cell: ({ created_at: at }) => (
            <span className="text-muted">
              <When at={at} />
            </span>
          ),
        },
        {
          id: 'remove',
          label: t('contacts.unblock'),
          isLabelHidden: true,
          width: '1%',
          cell: (number) => (
            <Button
              size="xs"
              needs="admin"
              aria-label={t('contacts.unblockOf', { number: numberText(`+${number.phone_number}`) })}
              onPress={() => onRemove(number)}
            >
              {t('contacts.unblock')}
            </Button>
          ),
        },
      ]}
    />
  );
}

function NumberSearch({ q, onFind }: { q: string; onFind: (q: string) => void }) {
  const [text, setText] = useState(q);
  const input = useRef<HTMLInputElement>(null);
  useKeys(pageKeys, { '/': () => input.current?.focus() });
  return (
    <div className="filter-line">
      <form
        role="search"
        className="find input is-large"
        onSubmit={(event) => {
          event.preventDefault();
          onFind(text.trim());
        }}
      >
        <Search className="i" aria-hidden size={16} strokeWidth={1.5} />
        <input
          ref={input}
          type="tel"
          maxLength={32}
          aria-label={t('contacts.findNumber')}
          placeholder={t('contacts.findNumber')}
          value={text}
          onChange={({ target }) => {
            setText(target.value);
            if (target.value === '' && q !== '') onFind('');
          }}
        />
        <kbd className="hide-s">/</kbd>
      </form>
      <span className="grow" />
      <NumbersToggle />
    </div>
  );
}
