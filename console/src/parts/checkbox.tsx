import { type ReactNode, use } from 'react';
import { cx } from './cx.ts';
import { ReadOnly } from './read-only.ts';

/** The browser's own check box under a drawn one: tables have one in each row, so it has to be light. */
export function Checkbox({
  children,
  label,
  isSelected,
  onChange,
}: {
  children?: ReactNode;
  /** Its name, if no words stand beside it. */
  label?: string;
  isSelected: boolean;
  onChange: (isSelected: boolean) => void;
}) {
  const isReadOnly = use(ReadOnly);
  return (
    <label className="checkbox flex min-h-6 items-center gap-2">
      <span className="relative inline-grid">
        <input
          type="checkbox"
          className="absolute inset-0 opacity-0"
          aria-label={label}
          checked={isSelected}
          disabled={isReadOnly}
          onChange={(event) => onChange(event.target.checked)}
        />
        <span className={cx('check', isSelected && 'on')} aria-hidden>
          {isSelected && <CheckMark />}
        </span>
      </span>
      {children}
    </label>
  );
}

const CheckMark = () => (
  <svg className="i" viewBox="0 0 16 16" aria-hidden>
    <path d="M3.5 8.5 6.5 11.5 12.5 5" />
  </svg>
);
