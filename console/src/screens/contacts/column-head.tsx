import {
  AudioLines,
  ChevronDown,
  ChevronsUp,
  CircleDashed,
  Globe,
  type LucideIcon,
  Phone,
  ShieldOff,
  Tag,
  Variable,
} from 'lucide-react';
import { Button } from 'react-aria-components';
import { percent } from '../../app/format.ts';
import { t } from '../../app/words.ts';
import { cx } from '../../parts/cx.ts';
import { Menu, type MenuEntry } from '../../parts/menu.tsx';
import { columnWith, type Mapping, type Role, roleBlocked, roleOf, roles } from './roles.ts';

const icons: Record<Role, LucideIcon> = {
  variable: Variable,
  phone: Phone,
  identifier: Tag,
  time_zone: Globe,
  do_not_call: ShieldOff,
  priority: ChevronsUp,
  opening_type: AudioLines,
  opening_text: AudioLines,
  opening_recording: AudioLines,
  skip: CircleDashed,
};

/** What a column is for, as a menu that changes it. */
export function ColumnHead({
  column,
  mapping,
  filled,
  isLocked,
  onRole,
}: {
  column: string;
  mapping: Mapping;
  /** Share of the rows with a text in it, if it is known. */
  filled: number | null;
  isLocked: boolean;
  onRole: (role: Role) => void;
}) {
  const role = roleOf(column, mapping);
  const Icon = icons[role];
  const entryOf = (each: Role): MenuEntry => {
    const blocked = roleBlocked(column, each, mapping);
    const holder = columnWith(each, mapping);
    return {
      id: each,
      label: each === 'variable' ? `{{${column}}}` : t(`contacts.role.${each}`),
      icon: icons[each],
      needs: 'calls:trigger',
      isDisabled: blocked !== null,
      ...(each === role
        ? { note: '✓' }
        : blocked !== null
          ? { note: t(`contacts.roleBlocked.${blocked}`) }
          : holder === null
            ? {}
            : { note: holder }),
      onAction: () => onRole(each),
    };
  };
  const said = role === 'variable' ? `{{${column}}}` : t(`contacts.role.${role}`);
  const content = (
    <>
      <span className="col-role">
        {role === 'variable' ? (
          <span className="var cut">{said}</span>
        ) : (
          <>
            <Icon className={cx('i', role !== 'skip' && 'text-accent')} aria-hidden />
            <span className="cut">{said}</span>
          </>
        )}
        {!isLocked && <ChevronDown className="i" aria-hidden />}
      </span>
      <span className="col-name">
        <span className="cut">{role === 'variable' ? '' : column}</span>
        {filled !== null && <span>{percent(filled)}</span>}
      </span>
    </>
  );
  if (isLocked) return <span className="col-head">{content}</span>;
  return (
    <Menu
      label={t('contacts.useAs', { column })}
      trigger={
        <Button className="col-head">
          <span className="vh">{t('contacts.columnIs', { column })} </span>
          {content}
        </Button>
      }
      entries={() => [...roles.filter((each) => each !== 'skip').map(entryOf), null, entryOf('skip')]}
    />
  );
}
