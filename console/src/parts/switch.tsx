import { use } from 'react';
import { Switch as AriaSwitch } from 'react-aria-components';
import { cx } from './cx.ts';
import type { FieldProps } from './field.tsx';
import { ReadOnly } from './read-only.ts';

export function Switch({
  label,
  hint,
  value,
  onChange,
  isDisabled,
  aside,
}: Pick<FieldProps, 'label' | 'hint' | 'aside'> & {
  value: boolean;
  onChange: (value: boolean) => void;
  isDisabled?: boolean;
}) {
  return (
    <div>
      <div className="row">
        <AriaSwitch
          isSelected={value}
          onChange={onChange}
          isReadOnly={use(ReadOnly)}
          {...(isDisabled === undefined ? {} : { isDisabled })}
          className="flex min-h-7 grow items-center justify-between gap-3"
        >
          {({ isSelected }) => (
            <>
              <span className="text-ink">{label}</span>
              <span className={cx('switch', isSelected && 'on')} />
            </>
          )}
        </AriaSwitch>
        {aside}
      </div>
      {hint !== undefined && <p className="text-hint text-12">{hint}</p>}
    </div>
  );
}
