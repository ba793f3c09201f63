import { ChevronDown, Info } from 'lucide-react';
import { createContext, type ReactNode, use } from 'react';
import {
  Button,
  Checkbox as AriaCheckbox,
  type CheckboxProps,
  FieldError,
  Input,
  Label,
  ListBox,
  ListBoxItem,
  NumberField as AriaNumberField,
  Popover,
  Select as AriaSelect,
  SelectValue,
  Switch as AriaSwitch,
  Text,
  TextArea,
  TextField as AriaTextField,
} from 'react-aria-components';
import { cx } from './cx.ts';

interface Common {
  label: string;
  /** One sentence below the field. */
  hint?: ReactNode;
  /** Why the value is refused. */
  error?: string | undefined;
  isDisabled?: boolean;
  isRequired?: boolean;
  className?: string;
}

function Notes({ hint, error }: Pick<Common, 'hint' | 'error'>) {
  return (
    <>
      {hint !== undefined && error === undefined && (
        <Text slot="description" className="hint">
          {hint}
        </Text>
      )}
      <FieldError className="hint bad">{error}</FieldError>
    </>
  );
}

export interface TextFieldProps extends Common {
  value: string;
  onChange: (value: string) => void;
  onBlur?: () => void;
  type?: 'text' | 'password' | 'email' | 'url' | 'search' | 'tel';
  placeholder?: string;
  autoComplete?: string;
  /** Gets the focus when it appears: in dialogs, and on the page of sign-in. */
  hasFocus?: boolean;
  maxLength?: number;
  /** Shown in a fixed-width font: ids, URLs, code. */
  isCode?: boolean;
  /** More than one line. */
  lines?: number;
}

/** Fields within can be read and not changed. */
export const ReadOnly = createContext(false);

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
      <Label className="lbl">{label}</Label>
      {lines === undefined ? (
        <Input className={look} {...(placeholder === undefined ? {} : { placeholder })} />
      ) : (
        <TextArea className={look} rows={lines} {...(placeholder === undefined ? {} : { placeholder })} />
      )}
      <Notes hint={hint} error={error} />
    </AriaTextField>
  );
}

export interface NumberFieldProps extends Common {
  value: number | null;
  onChange: (value: number | null) => void;
  minValue?: number;
  maxValue?: number;
  step?: number;
  unit?: string;
}

export function NumberField({
  label,
  hint,
  error,
  value,
  onChange,
  unit,
  className,
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
      <Label className="lbl">
        {label}
        {unit !== undefined && <span className="text-hint font-normal">{unit}</span>}
      </Label>
      <Input className={cx('input', error !== undefined && 'bad')} />
      <Notes hint={hint} error={error} />
    </AriaNumberField>
  );
}

export interface Option {
  value: string;
  label: string;
  description?: string;
}

export interface SelectProps extends Common {
  options: readonly Option[];
  value: string | null;
  onChange: (value: string) => void;
  placeholder?: string;
  /** The label is read out but not shown. */
  isLabelHidden?: boolean;
}

export function Select({
  label,
  hint,
  error,
  options,
  value,
  onChange,
  placeholder,
  isLabelHidden,
  className,
  ...rest
}: SelectProps) {
  const isReadOnly = use(ReadOnly);
  return (
    <AriaSelect
      {...rest}
      {...(isReadOnly ? { isDisabled: true } : {})}
      value={value}
      onChange={(next) => next !== null && onChange(String(next))}
      isInvalid={error !== undefined}
      {...(placeholder === undefined ? {} : { placeholder })}
      className={cx('field', className)}
    >
      <Label className={isLabelHidden === true ? 'vh' : 'lbl'}>{label}</Label>
      <Button className={cx('input', error !== undefined && 'bad')}>
        <SelectValue className="cut" />
        <ChevronDown className="i" aria-hidden size={16} strokeWidth={1.5} />
      </Button>
      <Notes hint={hint} error={error} />
      <Popover className="pop select-pop">
        <ListBox items={options.map((each) => ({ ...each, id: each.value }))} className="outline-none">
          {({ label: name, description }) => (
            <ListBoxItem textValue={name} className="item">
              <span className="cut">{name}</span>
              {description !== undefined && <span className="text-hint text-12 cut">{description}</span>}
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </AriaSelect>
  );
}

export function Switch({
  label,
  hint,
  value,
  onChange,
  isDisabled,
}: Pick<Common, 'label' | 'hint'> & {
  value: boolean;
  onChange: (value: boolean) => void;
  isDisabled?: boolean;
}) {
  return (
    <div>
      <AriaSwitch
        isSelected={value}
        onChange={onChange}
        isReadOnly={use(ReadOnly)}
        {...(isDisabled === undefined ? {} : { isDisabled })}
        className="flex min-h-7 items-center justify-between gap-3"
      >
        {({ isSelected }) => (
          <>
            <span className="text-ink">{label}</span>
            <span className={cx('switch', isSelected && 'on')} />
          </>
        )}
      </AriaSwitch>
      {hint !== undefined && <p className="text-hint text-12">{hint}</p>}
    </div>
  );
}

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

/** A sentence about a whole form. */
export function Note({ children }: { children: ReactNode }) {
  return (
    <p className="text-muted flex gap-2 text-12">
      <Info className="mt-0.5 shrink-0" aria-hidden size={14} strokeWidth={1.5} />
      <span>{children}</span>
    </p>
  );
}
