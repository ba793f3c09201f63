import type { ReactNode } from 'react';
import { cx } from './cx.ts';

/** A titled part of a page. */
export function Card({
  title,
  aside,
  children,
  className,
}: {
  title?: ReactNode;
  aside?: ReactNode;
  children: ReactNode;
  className?: string;
}) {
  return (
    <section className={cx('card', className)}>
      {title !== undefined && (
        <div className="card-h">
          <h2 className="h2 flex grow items-center gap-2">{title}</h2>
          {aside}
        </div>
      )}
      {children}
    </section>
  );
}

/** A name and its value, in a list of such pairs. */
export function Facts({ rows }: { rows: readonly (readonly [string, ReactNode])[] }) {
  return (
    <dl className="facts">
      {rows.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
