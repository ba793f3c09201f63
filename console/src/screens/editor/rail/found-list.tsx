import { duration } from '../../../app/format.ts';
import { t } from '../../../app/words.ts';
import { Count } from '../../../parts/badge.tsx';
import { cx } from '../../../parts/cx.ts';
import { shown } from '../../call/facts.ts';
import { foundIn } from './found.ts';
import type { Row } from './rows.ts';
import type { Test } from './tester.ts';

/** The values that the agent extracts, as far as they are known. */
export function FoundList({ test, rows }: { test: Test; rows: readonly Row[] }) {
  const record = test.run?.is_completed === true ? test.run : null;
  const isRead = record !== null;
  const values = foundIn(test.draft.nodes, rows, record?.gathered_context ?? null);
  if (values.length === 0) return null;
  const found = values.filter(({ value }) => value !== undefined).length;
  return (
    <section className={cx('found', !isRead && 'is-open')} aria-label={t('rail.found')} tabIndex={0}>
      <div className="row">
        <h2 className="h2">{t('rail.found')}</h2>
        {isRead && <Count of={t('rail.foundOf', { found, total: values.length })} />}
        <span className="grow" />
        {!isRead && (
          <span className="small t-2">
            {t(test.phase === 'over' ? 'rail.foundReading' : 'rail.foundLater')}
          </span>
        )}
      </div>
      <dl>
        {values.map(({ name, value, turn, at }) => (
          <div key={name}>
            <dt className="cut" title={name}>
              {name}
            </dt>
            <dd
              className={value === undefined ? 'none' : 'val cut'}
              title={value === undefined ? '' : shown(value)}
            >
              {value === undefined ? '–' : shown(value)}
            </dd>
            <dd className="from num">
              {value !== undefined && turn !== null && at !== null
                ? t('rail.turnAt', { turn, at: duration(at / 1000) })
                : ''}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
