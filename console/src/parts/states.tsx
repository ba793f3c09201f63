import type { UseQueryResult } from '@tanstack/react-query';
import { CloudOff, Lock, SearchX, TriangleAlert, X } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import { ApiError } from '../app/api.ts';
import { t } from '../app/words.ts';
import { Button } from './button.tsx';
import { CopyButton } from './copy-button.tsx';

/** What a screen shows instead of a bare spinner: lines in the place of the real layout. */
export function Skeleton({ rows = 6 }: { rows?: number }) {
  const [waited, setWaited] = useState<'not' | 'short' | 'long'>('not');
  useEffect(() => {
    const timers = [setTimeout(() => setWaited('short'), 150), setTimeout(() => setWaited('long'), 4000)];
    return () => timers.forEach(clearTimeout);
  }, []);
  return (
    <div role="status" aria-label={t('common.loading')} className="grid gap-4 p-6">
      {waited !== 'not' &&
        Array.from({ length: rows }, (_, index) => (
          <span key={index} className="skel" style={{ width: `${90 - ((index * 17) % 40)}%` }} />
        ))}
      {waited === 'long' && <p className="text-muted">{t('common.loadingLong')}</p>}
    </div>
  );
}

/** What a room is for, and the first thing to do. */
export function Empty({
  title,
  children,
  action,
}: {
  title: string;
  children: ReactNode;
  action?: ReactNode;
}) {
  return (
    <div className="empty">
      <h2 className="h2">{title}</h2>
      <p className="text-muted max-w-[52ch]">{children}</p>
      {action !== undefined && <div className="act">{action}</div>}
    </div>
  );
}

/** A filter in words, and what takes it away alone. */
export interface ShownFilter {
  words: string;
  remove: () => void;
}

/** Filters that match nothing: each can be taken away, or all. */
export function NothingMatches({
  filters = [],
  onClear,
}: {
  filters?: readonly (ShownFilter | null)[];
  onClear: () => void;
}) {
  const shown = filters.filter((each) => each !== null);
  return (
    <div className="empty">
      <SearchX className="text-icon" aria-hidden size={20} strokeWidth={1.5} />
      <h2 className="h2">{t('common.nothingMatches')}</h2>
      {shown.length > 0 && (
        <ul className="flex flex-wrap justify-center gap-2">
          {shown.map(({ words, remove }) => (
            <li key={words} className="chip">
              <span className="cut">{words}</span>
              <button type="button" aria-label={t('list.removeFilter', { filter: words })} onClick={remove}>
                <X className="i" aria-hidden size={14} strokeWidth={1.5} />
              </button>
            </li>
          ))}
        </ul>
      )}
      <div className="act">
        <Button onPress={onClear}>{t('common.clearFilters')}</Button>
      </div>
    </div>
  );
}

/** What happened, what was kept and what to do, with the request's id for the operator. */
export function Failure({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  const known = error instanceof ApiError ? error : null;
  const isRefused = known?.status === 403;
  const isGone = known?.status === 404;
  const Icon = known?.status === 0 ? CloudOff : isRefused ? Lock : TriangleAlert;
  return (
    <div role="alert" className="empty">
      <Icon className="text-icon" aria-hidden size={20} strokeWidth={1.5} />
      <h2 className="h2">
        {isGone ? t('common.notFound') : isRefused ? t('may.refused') : t('common.failed')}
      </h2>
      <p className="text-muted max-w-[60ch] whitespace-pre-line">
        {isGone
          ? t('common.notFoundWhy')
          : `${known?.message ?? t('common.unexpected')}${isRefused ? `. ${t('may.ask')}` : ''}`}
      </p>
      <div className="act">
        {onRetry !== undefined && !isRefused && <Button onPress={onRetry}>{t('common.retry')}</Button>}
        {known?.requestId != null && <CopyButton text={known.requestId} label={t('common.copyRequestId')} />}
      </div>
    </div>
  );
}

/** Shows a query's data, or its loading or failed state. Data that is there stays while it is read again. */
export function Loaded<Data>({
  query,
  rows,
  children,
}: {
  query: Pick<UseQueryResult<Data>, 'data' | 'isError' | 'error' | 'refetch'>;
  rows?: number;
  children: (data: Data) => ReactNode;
}) {
  if (query.data !== undefined) return children(query.data);
  if (query.isError) return <Failure error={query.error} onRetry={() => void query.refetch()} />;
  return <Skeleton {...(rows === undefined ? {} : { rows })} />;
}
