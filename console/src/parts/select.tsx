import { ChevronDown } from 'lucide-react';
import { use } from 'react';
import {
  Button,
  ListBox,
  ListBoxItem,
  Popover,
  Select as AriaSelect,
  SelectValue,
} from 'react-aria-components';
import { t } from '../app/words.ts';
import { cx } from './cx.ts';
import { FieldName, type FieldProps, Notes } from './field.tsx';
import { Narrowed, nothingFound } from './narrowed.tsx';
import { ReadOnly } from './read-only.ts';

export interface Option {
  value: string;
  label: string;
  description?: string;
}

export interface SelectProps extends FieldProps {
  options: readonly Option[];
  value: string | null;
  onChange: (value: string) => void;
  placeholder?: string;
  /** The label is read out but not shown. */
  isLabelHidden?: boolean;
}

/** Longer lists have a field that narrows them. */
const maxPlain = 15;
const maxHeight = 320;

export function Select({
  label,
  hint,
  error,
  options,
  value,
  onChange,
  placeholder,
  isLabelHidden = false,
  className,
  aside,
  ...rest
}: SelectProps) {
  const isReadOnly = use(ReadOnly);
  const list = (
    <ListBox
      items={options.map((each) => ({ ...each, id: each.value }))}
      className="outline-none"
      renderEmptyState={nothingFound}
    >
      {({ label: name, description }) => (
        <ListBoxItem textValue={name} className="item">
          <span className="cut">{name}</span>
          {description !== undefined && <span className="text-hint text-12 cut">{description}</span>}
        </ListBoxItem>
      )}
    </ListBox>
  );
  return (
    <AriaSelect
      {...rest}
      {...(isReadOnly ? { isDisabled: true } : {})}
      value={value}
      onChange={(next) => next !== null && onChange(String(next))}
      isInvalid={error !== undefined}
      placeholder={placeholder ?? t('common.choose')}
      className={cx('field', className)}
    >
      <FieldName label={label} aside={aside} isHidden={isLabelHidden} />
      <Button className={cx('input', error !== undefined && 'bad')}>
        <SelectValue className="cut" />
        <ChevronDown className="i" aria-hidden size={16} strokeWidth={1.5} />
      </Button>
      <Notes hint={hint} error={error} />
      <Popover className="pop select-pop" maxHeight={maxHeight}>
        {options.length > maxPlain ? <Narrowed what={label}>{list}</Narrowed> : list}
      </Popover>
    </AriaSelect>
  );
}
