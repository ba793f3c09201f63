import type { LucideIcon } from 'lucide-react';
import { type ReactElement, use } from 'react';
import { Menu as AriaMenu, MenuItem, MenuTrigger, Popover, Separator } from 'react-aria-components';
import type { Scope } from '../../../src/contract/data/scopes.ts';
import { KeptHere, useLostAt } from '../app/away.ts';
import { useMay, whyNot } from '../app/may.ts';
import { t } from '../app/words.ts';
import { cx } from './cx.ts';

export interface MenuEntry {
  id: string;
  label: string;
  icon?: LucideIcon;
  isDanger?: boolean;
  isDisabled?: boolean;
  /** Shown at the end: a shortcut, a state. */
  note?: string;
  onAction: () => void;
  /** Off, and says so, for a person without this scope, and while the API cannot be reached. */
  needs?: Scope;
}

type Entries = readonly (MenuEntry | null)[];

/**
 * A button with a menu. `null` among the entries is a line between them; a function answers them when the menu
 * opens.
 */
export function Menu({
  trigger,
  label,
  entries,
}: {
  trigger: ReactElement;
  label: string;
  entries: Entries | (() => Entries);
}) {
  return (
    <MenuTrigger>
      {trigger}
      <Popover className="pop" placement="bottom end">
        <Opened label={label} entries={entries} />
      </Popover>
    </MenuTrigger>
  );
}

function Opened({ label, entries }: { label: string; entries: Entries | (() => Entries) }) {
  useMay();
  const isKept = use(KeptHere);
  const isCutOff = useLostAt() !== null && !isKept;
  const shown = (typeof entries === 'function' ? entries() : entries).map((entry) => {
    if (entry?.needs === undefined) return entry;
    if (whyNot(entry.needs) !== undefined) return { ...entry, isDisabled: true, note: t('may.refused') };
    return isCutOff ? { ...entry, isDisabled: true, note: t('frame.cutOffShort') } : entry;
  });
  return (
    <AriaMenu aria-label={label} className="min-w-44 outline-none">
      {shown.map((entry, index) =>
        entry === null ? (
          <Separator key={`line-${index}`} className="sep my-1" />
        ) : (
          <MenuItem
            key={entry.id}
            id={entry.id}
            onAction={entry.onAction}
            {...(entry.isDisabled === undefined ? {} : { isDisabled: entry.isDisabled })}
            className={cx('item', entry.isDanger && 'text-bad-text')}
          >
            {entry.icon !== undefined && <entry.icon className="i" aria-hidden size={16} strokeWidth={1.5} />}
            <span className="flex-1">{entry.label}</span>
            {entry.note !== undefined && <span className="text-hint text-12">{entry.note}</span>}
          </MenuItem>
        ),
      )}
    </AriaMenu>
  );
}
