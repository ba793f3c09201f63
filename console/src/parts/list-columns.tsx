import { SlidersHorizontal } from 'lucide-react';
import { useState } from 'react';
import { densities, density, useDensity } from '../app/density.ts';
import { session } from '../app/session.ts';
import { t } from '../app/words.ts';
import { IconButton } from './button.tsx';
import { Menu } from './menu.tsx';

/** A list with more columns offers to hide some. */
const maxFixedColumns = 5;

type Hidden = readonly string[];

const keyOf = (list: string): string => `parlance.columns.${session.get()?.user.id ?? ''}.${list}`;

function read(list: string): Hidden {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(keyOf(list)) ?? '[]');
    return Array.isArray(stored) ? stored.filter((each) => typeof each === 'string') : [];
  } catch {
    return [];
  }
}

interface Named {
  id: string;
  label: string;
  isLabelHidden?: boolean;
}

/**
 * The columns of a list without those that the person has hidden, and the menu that hides and shows them. `main` always
 * stays. The choice is kept by the ids of the columns.
 */
export function useListColumns<Column extends Named>(
  columns: readonly Column[],
  main: Column | undefined,
  isOffered: boolean,
) {
  const choosable = columns.filter((each) => each !== main && each.isLabelHidden !== true);
  const isLong = isOffered && choosable.length >= maxFixedColumns;
  const list = columns.map(({ id }) => id).join();
  const [hidden, setHidden] = useState(() => read(list));
  const isHidden = (id: string) => hidden.includes(id);
  const toggle = (id: string) => {
    const next = isHidden(id) ? hidden.filter((each) => each !== id) : [...hidden, id];
    setHidden(next);
    try {
      localStorage.setItem(keyOf(list), JSON.stringify(next));
    } catch {
      // It then lasts as long as the page.
    }
  };
  return {
    shown: isLong ? columns.filter((each) => !choosable.includes(each) || !isHidden(each.id)) : columns,
    chooser: isLong ? (
      <Chooser
        columns={choosable.map(({ id, label }) => ({ id, label, isHidden: isHidden(id) }))}
        onToggle={toggle}
      />
    ) : null,
  };
}

function Chooser({
  columns,
  onToggle,
}: {
  columns: readonly { id: string; label: string; isHidden: boolean }[];
  onToggle: (id: string) => void;
}) {
  const rows = useDensity();
  return (
    <span className="list-view hide-s">
      <Menu
        label={t('list.view')}
        trigger={<IconButton icon={SlidersHorizontal} size="xs" label={t('list.view')} />}
        entries={[
          ...columns.map(({ id, label, isHidden }) => ({
            id,
            label,
            note: t(isHidden ? 'list.hidden' : 'list.shown'),
            onAction: () => onToggle(id),
          })),
          null,
          ...densities.map((id) => ({
            id: `density ${id}`,
            label: t(`list.${id}`),
            ...(id === rows ? { note: t('list.chosen') } : {}),
            onAction: () => density.set(id),
          })),
        ]}
      />
    </span>
  );
}
