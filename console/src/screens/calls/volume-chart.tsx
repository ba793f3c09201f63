import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type PointerEvent, useEffect, useRef, useState } from 'react';
import { count, dayWords, ownZone as timezone } from '../../app/format.ts';
import { useNow } from '../../app/now.ts';
import { get } from '../../app/query.ts';
import { t } from '../../app/words.ts';
import { Button } from '../../parts/button.tsx';
import { cx } from '../../parts/cx.ts';
import { type Filter, formatFilters } from './filters.ts';
import { between, chosenDays, dayAt, type DayRange, withDays, withEnd, withoutDays } from './volume.ts';

const dayCount = 30;
const newCallsMs = 60_000;

interface VolumeProps {
  filters: readonly Filter[];
  /** The API's text of the filters without a date, so that the other days are seen too. */
  others: string | undefined;
  isEnabled: boolean;
  /** `isStep`: one of many small changes, which the back button skips. */
  onChange: (filters: readonly Filter[], how: { isStep: boolean }) => void;
}

/**
 * How many calls each of the last days had. Days are chosen by a drag, or by two sliders that only the keyboard and
 * screen readers reach; both make the same filters as the bar.
 */
export function Volume({ filters, others, isEnabled, onChange }: VolumeProps) {
  const query = useQuery({
    ...get('/organizations/usage/daily-breakdown', {
      query: { days: dayCount, timezone, ...(others === undefined ? {} : { filters: others }) },
    }),
    enabled: isEnabled,
    placeholderData: keepPreviousData,
    refetchInterval: newCallsMs,
  });
  const shown = query.data?.breakdown ?? [];
  const days = shown.map(({ date: day }) => day);
  const counts = shown.map(({ call_count: calls }) => calls);
  const text = formatFilters(filters);
  const [draft, setDraft] = useState<DayRange | null>(null);
  const [anchor, setAnchor] = useState<number | null>(null);
  // What was asked for and is not yet the page's address: steps may come faster than the page changes.
  const asked = useRef<string[]>([]);
  useEffect(() => {
    const index = asked.current.indexOf(text);
    const isNewer = index !== -1 && index < asked.current.length - 1;
    asked.current = isNewer ? asked.current.slice(index + 1) : [];
    if (!isNewer) setDraft(null);
  }, [text]);

  const now = useNow(newCallsMs);
  const chosen = chosenDays(filters, days, new Date(now));
  const range = draft ?? chosen;
  const all = { first: 0, last: Math.max(0, days.length - 1) };
  const ask = (next: readonly Filter[], isStep: boolean) => {
    if (formatFilters(next) === text && asked.current.length === 0) return setDraft(null);
    asked.current.push(formatFilters(next));
    onChange(next, { isStep });
  };
  const choose = (next: DayRange, isStep: boolean) => {
    setDraft(next);
    ask(withDays(filters, days, next), isStep);
  };
  const pointedAt = ({ currentTarget, clientX }: PointerEvent<HTMLElement>): number => {
    const { left, width } = currentTarget.getBoundingClientRect();
    const share = (clientX - left) / width;
    return dayAt(document.dir === 'rtl' ? 1 - share : share, days.length);
  };
  const release = (event: PointerEvent<HTMLElement>) => {
    if (anchor === null) return;
    setAnchor(null);
    const next = between(anchor, pointedAt(event));
    // A press on the one day that is chosen lets it go.
    if (next.first === next.last && chosen?.first === next.first && chosen.last === next.last)
      ask(withoutDays(filters), false);
    else choose(next, false);
  };

  const most = Math.max(1, ...counts);
  const isIn = (index: number) => range === null || (index >= range.first && index <= range.last);
  const sum = counts.reduce((total, calls, index) => (isIn(index) ? total + calls : total), 0);
  const share = (index: number) => `${(index / Math.max(1, days.length)) * 100}%`;
  if (query.isError && query.data === undefined)
    return <p className="volume text-12 text-muted">{t('calls.volume.failed')}</p>;
  return (
    <div className="volume" role="group" aria-label={t('calls.volume')} aria-busy={query.data === undefined}>
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- a drag; the sliders do the same */}
      <div
        className="volume-days"
        onPointerDown={(event) => {
          if (event.button !== 0 || days.length === 0) return;
          event.currentTarget.setPointerCapture(event.pointerId);
          const index = pointedAt(event);
          setAnchor(index);
          setDraft({ first: index, last: index });
        }}
        onPointerMove={(event) => anchor !== null && setDraft(between(anchor, pointedAt(event)))}
        onPointerUp={release}
        onPointerCancel={() => {
          setAnchor(null);
          setDraft(null);
        }}
      >
        {shown.map(({ date: day, call_count: calls }, index) => (
          <span
            key={day}
            className={cx('volume-day', range !== null && isIn(index) && 'on', !isIn(index) && 'out')}
            title={t('calls.volume.day', { day: dayWords(day), count: calls, shown: count(calls) })}
          >
            <i style={{ blockSize: calls === 0 ? 0 : `max(2px, ${(calls / most) * 100}%)` }} />
          </span>
        ))}
        {days.length > 0 &&
          (['first', 'last'] as const).map((end) => {
            const index = (range ?? all)[end];
            return (
              <input
                key={end}
                type="range"
                className={end}
                min={0}
                max={days.length - 1}
                step={1}
                value={index}
                aria-label={t(`calls.volume.${end}`)}
                aria-valuetext={t('calls.volume.day', {
                  day: dayWords(days[index] ?? ''),
                  count: counts[index] ?? 0,
                  shown: count(counts[index] ?? 0),
                })}
                onChange={({ target }) =>
                  choose(withEnd(range ?? all, end, Number(target.value)), chosen !== null)
                }
              />
            );
          })}
        {days.length > 0 && (
          <span
            className={cx('volume-brush', range === null && 'is-open')}
            style={{
              insetInlineStart: share((range ?? all).first),
              insetInlineEnd: `calc(100% - ${share((range ?? all).last + 1)})`,
            }}
            aria-hidden
          >
            <b className="first" />
            <b className="last" />
          </span>
        )}
      </div>
      <div className="volume-foot">
        <span className="num">
          {query.data !== undefined &&
            t(range === null ? 'calls.volume.sum' : 'calls.volume.sumOf', {
              count: sum,
              shown: count(sum),
              days: dayCount,
              range: range === null ? '' : rangeWords(range, days),
            })}
        </span>
        {range !== null && (
          <Button kind="ghost" size="xs" onPress={() => ask(withoutDays(filters), false)}>
            {t('calls.volume.clear')}
          </Button>
        )}
        <span className="grow" />
        {days.length > 0 && (
          <span className="volume-ends num" aria-hidden>
            {dayWords(days[0] ?? '')} – {dayWords(days.at(-1) ?? '')}
          </span>
        )}
      </div>
      <table className="vh">
        <caption>{t('calls.volume')}</caption>
        <thead>
          <tr>
            <th>{t('calls.volume.date')}</th>
            <th>{t('frame.calls')}</th>
          </tr>
        </thead>
        <tbody>
          {shown.map(({ date: day, call_count: calls }) => (
            <tr key={day}>
              <th>{dayWords(day)}</th>
              <td>{count(calls)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function rangeWords({ first, last }: DayRange, days: readonly string[]): string {
  const [from, to] = [dayWords(days[first] ?? ''), dayWords(days[last] ?? '')];
  return first === last ? from : `${from} – ${to}`;
}
