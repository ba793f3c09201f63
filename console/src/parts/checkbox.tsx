import { type ReactNode, use } from 'react';
import { Checkbox as AriaCheckbox, type CheckboxProps } from 'react-aria-components';
import { cx } from './cx.ts';
import { ReadOnly } from './read-only.ts';

export function Checkbox({
  children,
  label,
  ...rest
}: Omit<CheckboxProps, 'children' | 'className' | 'style'> & { children?: ReactNode; label?: string }) {
  const isReadOnly = use(ReadOnly);
  return (
    <AriaCheckbox
      {...rest}
      {...(isReadOnly ? { isReadOnly } : {})}
      {...(label === undefined ? {} : { 'aria-label': label })}
      className="checkbox flex min-h-6 items-center gap-2"
    >
      {({ isSelected, isIndeterminate }) => (
        <>
          <span className={cx('check', (isSelected || isIndeterminate) && 'on')} aria-hidden>
            {isIndeterminate ? '–' : isSelected ? <CheckMark /> : null}
          </span>
          {children}
        </>
      )}
    </AriaCheckbox>
  );
}

const CheckMark = () => (
  <svg className="i" viewBox="0 0 16 16" aria-hidden>
    <path d="M3.5 8.5 6.5 11.5 12.5 5" />
  </svg>
);
