import { use } from 'react';
import { Input, NumberField as AriaNumberField } from 'react-aria-components';
import { cx } from './cx.ts';
import { FieldName, type FieldProps, Notes } from './field.tsx';
import { ReadOnly } from './read-only.ts';

export interface NumberFieldProps extends FieldProps {
  value: number | null;
  onChange: (value: number | null) => void;
  minValue?: number;
  maxValue?: number;
  step?: number;
  unit?: string;
  placeholder?: string;
  /** The label is read out but not shown. */
  isLabelHidden?: boolean;
}

export function NumberField({
  label,
  hint,
  error,
  value,
  onChange,
  unit,
  placeholder,
  isLabelHidden = false,
  className,
  aside,
  ...rest
}: NumberFieldProps) {
  return (
    <AriaNumberField
      {...rest}
      isReadOnly={use(ReadOnly)}
      value={value ?? NaN}
      onChange={(next) => onChange(Number.isNaN(next) ? null : next)}
      isInvalid={error !== undefined}
      className={cx('field', className)}
    >
      <FieldName
        label={
          <>
            {label}
            {unit !== undefined && <span className="text-hint font-normal">{unit}</span>}
          </>
        }
        aside={aside}
        isHidden={isLabelHidden}
      />
      <Input
        className={cx('input', error !== undefined && 'bad')}
        {...(placeholder === undefined ? {} : { placeholder })}
      />
      <Notes hint={hint} error={error} />
    </AriaNumberField>
  );
}
