import {
  AlertTriangle,
  CheckCircle2,
  CircleDashed,
  Copy,
  Lock,
  type LucideIcon,
  OctagonAlert,
  ShieldOff,
} from 'lucide-react';
import type { ReactNode } from 'react';
import { Button as AriaButton } from 'react-aria-components';
import type { Directory } from '../../../../src/contract/directories.ts';
import { count } from '../../app/format.ts';
import { hasWords, t } from '../../app/words.ts';
import { cx } from '../../parts/cx.ts';
import { Menu } from '../../parts/menu.tsx';
import { byFrequency } from './cell-findings.ts';
import { type DirectorySearch, type RowState, rowStates } from './search.ts';

type Totals = NonNullable<Directory['totals']>;

const looks: Record<RowState, { is: string; icon: LucideIcon }> = {
  ok: { is: 'is-ok', icon: CheckCircle2 },
  invalid: { is: 'is-bad', icon: OctagonAlert },
  duplicate: { is: 'is-warn', icon: Copy },
  no_phone: { is: 'is-caller', icon: CircleDashed },
  suppressed: { is: 'is-machine', icon: Lock },
  do_not_call: { is: 'is-machine', icon: ShieldOff },
};

/** What a finding is called in lists. */
export const wordsOfFinding = (code: string): string =>
  hasWords(`contacts.finding.${code}`) ? t(`contacts.finding.${code}`) : code;

/** What became of the rows, as a bar and as filters; for who may not see rows only as a bar with its words. */
export function ResultBar({
  totals,
  search,
  onFilter,
}: {
  totals: Totals;
  search: DirectorySearch;
  onFilter: ((change: Pick<DirectorySearch, 'state' | 'finding'>) => void) | null;
}) {
  const findings = byFrequency(totals.findings);
  const { state, finding } = search;
  const isAll = state === undefined && finding === undefined;
  return (
    <>
      <div className="segbar result" aria-hidden>
        {rowStates.map((each) =>
          totals[each] === 0 ? null : (
            <i key={each} className={looks[each].is} style={{ flexGrow: totals[each] }} />
          ),
        )}
      </div>
      <div className="results" role="group" aria-label={t('contacts.filter')}>
        <Part
          isPressed={isAll}
          onPress={onFilter && (() => onFilter({ state: undefined, finding: undefined }))}
        >
          <b>{count(totals.rows)}</b> {t('contacts.allRows')}
        </Part>
        {rowStates.map((each) => {
          const { is, icon: Icon } = looks[each];
          return totals[each] === 0 && each !== 'ok' ? null : (
            <Part
              key={each}
              is={is}
              isPressed={state === each}
              onPress={
                onFilter && (() => onFilter({ state: state === each ? undefined : each, finding: undefined }))
              }
            >
              <Icon className="i" aria-hidden /> <b>{count(totals[each])}</b> {t(`contacts.row.${each}`)}
            </Part>
          );
        })}
        {totals.blank > 0 && (
          <Part isPressed={false} onPress={null}>
            <b>{count(totals.blank)}</b> {t('contacts.row.blank')}
          </Part>
        )}
        {findings.length > 0 && onFilter !== null && (
          <Menu
            label={t('contacts.byFinding')}
            trigger={
              <AriaButton className={cx('is-warn', finding !== undefined && 'on')}>
                <AlertTriangle className="i" aria-hidden />{' '}
                {finding === undefined ? t('contacts.byFinding') : wordsOfFinding(finding)}
              </AriaButton>
            }
            entries={findings.map(([code, rows]) => ({
              id: code,
              label: wordsOfFinding(code),
              note: `${count(rows)}${code === finding ? ' ✓' : ''}`,
              onAction: () => onFilter({ state: undefined, finding: code === finding ? undefined : code }),
            }))}
          />
        )}
      </div>
    </>
  );
}

function Part({
  is,
  isPressed,
  onPress,
  children,
}: {
  is?: string;
  isPressed: boolean;
  onPress: (() => void) | null;
  children: ReactNode;
}) {
  if (onPress === null) return <span className={is}>{children}</span>;
  return (
    <button type="button" className={is} aria-pressed={isPressed} onClick={onPress}>
      {children}
    </button>
  );
}
