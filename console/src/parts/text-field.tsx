import { use } from 'react';
import { Input, TextArea, TextField as AriaTextField } from 'react-aria-components';
import { cx } from './cx.ts';
import { FieldName, type FieldProps, Notes } from './field.tsx';
import { ReadOnly } from './read-only.ts';

export interface TextFieldProps extends FieldProps {
  value: string;
  onChange: (value: string) => void;
  onBlur?: () => void;
  type?: 'text' | 'password' | 'email' | 'url' | 'search' | 'tel';
  placeholder?: string;
  autoComplete?: string;
  /** The keys that a phone offers. */
  inputMode?: 'numeric';
  /** Gets the focus when it appears: in dialogs, and on the page of sign-in. */
  hasFocus?: boolean;
  maxLength?: number;
  /** Shown in a fixed-width font: ids, URLs, code. */
  isCode?: boolean;
  /** More than one line. */
  lines?: number;
}

export function TextField({
  label,
  hint,
  error,
  value,
  onChange,
  onBlur,
  lines,
  isCode,
  placeholder,
  hasFocus,
  className,
  aside,
  ...rest
}: TextFieldProps) {
  const look = cx('input', isCode && 'mono', lines !== undefined && 'py-1.5', error !== undefined && 'bad');
  const isReadOnly = use(ReadOnly);
  return (
    <AriaTextField
      {...rest}
      {...(isReadOnly ? { isReadOnly } : {})}
      {...(hasFocus === true ? { autoFocus: true } : {})}
      value={value}
      onChange={onChange}
      {...(onBlur === undefined ? {} : { onBlur })}
      isInvalid={error !== undefined}
      className={cx('field', className)}
    >
      <FieldName label={label} aside={aside} />
      {lines === undefined ? (
        <Input className={look} {...(placeholder === undefined ? {} : { placeholder })} />
      ) : (
        <TextArea className={look} rows={lines} {...(placeholder === undefined ? {} : { placeholder })} />
      )}
      <Notes hint={hint} error={error} />
    </AriaTextField>
  );
}
