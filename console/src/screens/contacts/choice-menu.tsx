import { Check, ChevronDown } from 'lucide-react';
import { Button, Menu, MenuItem, MenuTrigger, Popover } from 'react-aria-components';
import { Narrowed, nothingFound } from '../../parts/narrowed.tsx';

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
  const menu = (
    <Menu
      aria-label={label}
      items={choices}
      selectionMode="single"
      disallowEmptySelection // else Escape clears the choice instead of closing the menu
      selectedKeys={value === null ? [] : [value]}
      className="choice-list"
      renderEmptyState={nothingFound}
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
    <MenuTrigger onOpenChange={(isOpen) => onOpen?.(isOpen)}>
      <Button className="btn reading" isDisabled={isLocked}>
        <span className="text-muted font-normal">{label}</span> <span className="cut">{shown}</span>
        <ChevronDown className="i" aria-hidden size={16} strokeWidth={1.5} />
      </Button>
      <Popover className="pop choice-pop" placement="bottom start" maxHeight={maxHeight}>
        {hasSearch ? <Narrowed what={label}>{menu}</Narrowed> : menu}
      </Popover>
    </MenuTrigger>
  );
}
