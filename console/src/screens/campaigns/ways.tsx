import { cx } from '../../parts/cx.ts';

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
