import type { LucideIcon } from 'lucide-react';
import type { ReactElement } from 'react';
import { Menu as AriaMenu, MenuItem, MenuTrigger, Popover, Separator } from 'react-aria-components';
import type { Scope } from '../../../src/contract/data/scopes.ts';
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
  /** Off, and says so, for a person without this scope. */
  needs?: Scope;
}

/** A button with a menu. `null` among the entries is a line between them. */
export function Menu({
  trigger,
  label,
  entries: given,
}: {
  trigger: ReactElement;
  label: string;
  entries: readonly (MenuEntry | null)[];
}) {
  useMay();
  const entries = given.map((entry) =>
    entry === null || whyNot(entry.needs) === undefined
      ? entry
      : { ...entry, isDisabled: true, note: t('may.refused') },
  );
  return (
    <MenuTrigger>
      {trigger}
      <Popover className="pop" placement="bottom end">
        <AriaMenu aria-label={label} className="min-w-44 outline-none">
          {entries.map((entry, index) =>
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
                {entry.icon !== undefined && (
                  <entry.icon className="i" aria-hidden size={16} strokeWidth={1.5} />
                )}
                <span className="flex-1">{entry.label}</span>
                {entry.note !== undefined && <span className="text-hint text-12">{entry.note}</span>}
              </MenuItem>
            ),
          )}
        </AriaMenu>
      </Popover>
    </MenuTrigger>
  );
}
