import { ChevronRight } from 'lucide-react';
import { Fragment, useEffect, useRef } from 'react';
import { duration } from '../../../app/format.ts';
import { t } from '../../../app/words.ts';
import { cx } from '../../../parts/cx.ts';
import { useSession } from '../session.ts';
import type { ShownTest } from './shown.ts';

/** The path of the test below the graph. */
export function PathBar({ shown: { path, lit, lengthMs } }: { shown: ShownTest }) {
  const session = useSession();
  const end = useRef<HTMLDivElement>(null);
  const { length } = path;
  useEffect(() => {
    if (length > 0) end.current?.scrollTo({ left: end.current.scrollWidth });
  }, [length]);
  if (length === 0) return null;
  return (
    <nav className="path" aria-label={t('rail.path')}>
      <span className="caps">{t('rail.path')}</span>
      <div className="hops" ref={end}>
        {path.map(({ id, name }, index) => {
          const isNow = lit?.now === id && index === length - 1;
          return (
            <Fragment key={index}>
              {index > 0 && <ChevronRight className="i" aria-hidden size={14} strokeWidth={1.5} />}
              <button
                type="button"
                className={cx('hopn', isNow && 'now')}
                {...(isNow ? { 'aria-current': 'step' as const } : {})}
                onClick={() => session.select([id])}
              >
                {index + 1} {name}
              </button>
            </Fragment>
          );
        })}
      </div>
      <span className="t-3 num">{duration(lengthMs / 1000)}</span>
    </nav>
  );
}
