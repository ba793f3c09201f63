import { Check, ChevronDown, Search } from 'lucide-react';
import { useState } from 'react';
import {
  Autocomplete,
  Button,
  Input,
  Menu,
  MenuItem,
  MenuTrigger,
  Popover,
  SearchField,
  useFilter,
} from 'react-aria-components';
import { t } from '../../app/words.ts';

const maxHeight = 420;

export interface Choice {
  id: string;
  label: string;
  /** The first rows as this choice would read them. */
  sample?: string | undefined;
  note?: string | undefined;
}

/** One setting of how a file is read: what it is, and its alternatives with what they would make of the file. */
export function ChoiceMenu({
  label,
  value,
  shown,
  choices,
  isLocked = false,
  hasSearch = false,
  isCode = false,
  onOpen,
  onChoose,
}: {
  label: string;
  value: string | null;
  /** The present choice in words. */
  shown: string;
  choices: readonly Choice[];
  isLocked?: boolean;
  hasSearch?: boolean;
  /** Samples are shown in a fixed-width font. */
  isCode?: boolean;
  onOpen?: (isOpen: boolean) => void;
  onChoose: (id: string) => void;
}) {
  const { contains } = useFilter({ sensitivity: 'base' });
  const [text, setText] = useState('');
  const menu = (
    <Menu
      aria-label={label}
      items={choices}
      selectionMode="single"
      selectedKeys={value === null ? [] : [value]}
      className="choice-list"
      renderEmptyState={() => <p className="text-muted p-3">{t('contacts.noChoice')}</p>}
    >
      {({ id, label: name, sample, note }) => (
        <MenuItem id={id} textValue={name} className="item choice" onAction={() => onChoose(id)}>
          <Check className="i" aria-hidden size={14} visibility={id === value ? 'visible' : 'hidden'} />
          <span className="choice-name">{name}</span>
          {sample !== undefined && (
            <span className={isCode ? 'choice-sample mono' : 'choice-sample'}>{sample}</span>
          )}
          {note !== undefined && <span className="text-hint text-12">{note}</span>}
        </MenuItem>
      )}
    </Menu>
  );
  return (
    <MenuTrigger
      onOpenChange={(isOpen) => {
        setText('');
        onOpen?.(isOpen);
      }}
    >
      <Button className="btn reading" isDisabled={isLocked}>
        <span className="text-muted font-normal">{label}</span> <span className="cut">{shown}</span>
        <ChevronDown className="i" aria-hidden size={16} strokeWidth={1.5} />
      </Button>
      <Popover className="pop choice-pop" placement="bottom start" maxHeight={maxHeight}>
        {hasSearch ? (
          <Autocomplete filter={contains} inputValue={text} onInputChange={setText}>
            <SearchField aria-label={t('contacts.find', { what: label })} autoFocus className="choice-field">
              <Search className="i" aria-hidden size={16} strokeWidth={1.5} />
              <Input placeholder={t('contacts.find', { what: label })} />
            </SearchField>
            {menu}
          </Autocomplete>
        ) : (
          menu
        )}
      </Popover>
    </MenuTrigger>
  );
}
