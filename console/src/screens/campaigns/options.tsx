import { PageLink, useHasPage } from '../../parts/page-link.tsx';
import { cx } from '../../parts/cx.ts';

/** Links beside each other; those to pages that this console does not have are left out. */
export function Options({ options }: { options: readonly { to: string; label: string }[] }) {
  return options.map(({ to, label }) => <Option key={to} to={to} label={label} />);
}

function Option({ to, label }: { to: string; label: string }) {
  if (!useHasPage(to)) return null;
  return (
    <PageLink to={to} className="btn">
      {label}
    </PageLink>
  );
}

export interface Way<Id extends string> {
  id: Id;
  label: string;
  hint: string;
}

/** One of a few ways to do something, each with what it means. */
export function Ways<Id extends string>({
  label,
  ways,
  value,
  onChange,
}: {
  label: string;
  ways: readonly Way<Id>[];
  value: Id;
  onChange: (id: Id) => void;
}) {
  return (
    <fieldset className="ways">
      <legend className="vh">{label}</legend>
      {ways.map(({ id, label: name, hint }) => (
        <label key={id} className={cx('way', id === value && 'is-on')}>
          <input
            type="radio"
            name={label}
            aria-label={name}
            checked={id === value}
            onChange={() => onChange(id)}
          />
          <span>
            <span className="text-ink block">{name}</span>
            <span className="text-muted text-12 block">{hint}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}
