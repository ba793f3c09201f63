import { useMemo } from 'react';
import { Dialog, Popover } from 'react-aria-components';
import type { ContactFinding } from '../../../../src/contract/directories.ts';
import { count } from '../../app/format.ts';
import { t } from '../../app/words.ts';
import { SeverityIcon } from '../../parts/badge.tsx';
import { Refusal, useAction } from '../../parts/action.tsx';
import { Button } from '../../parts/button.tsx';
import { repeated } from './cell-findings.ts';
import { adviceText, faultText } from './finding-text.ts';
import type { GridRow } from './rows.ts';

/** Of the rows that repeat a number. */
const maxShown = 3;

/** What is wrong with a cell, what to do, how many rows have it, and the way to them. */
export function CellPopover({
  anchor,
  row,
  numberLabel,
  findings,
  counts,
  onShowOnly,
  onRow,
  onNext,
  onClose,
}: {
  anchor: HTMLElement | null;
  row: GridRow;
  numberLabel: string;
  findings: readonly ContactFinding[];
  counts: Readonly<Record<string, number>> | null;
  onShowOnly: ((code: string) => void) | undefined;
  onRow: ((number: number) => void) | undefined;
  onNext: ((code: string) => Promise<void>) | undefined;
  onClose: () => void;
}) {
  const trigger = useMemo(() => ({ current: anchor }), [anchor]);
  const { run, error, isBusy } = useAction();
  const isFaultless = findings.every(({ code }) => code === repeated);
  const titleId = row.isLeftOut ? 'isLeftOut' : isFaultless ? 'isCalled' : 'isCalledWarned';
  const title = t(`contacts.${titleId}`, { what: numberLabel, number: count(row.number) });
  return (
    <Popover
      triggerRef={trigger}
      isOpen
      onOpenChange={(isOpen) => !isOpen && onClose()}
      placement="bottom start"
      className="pop cell-pop"
    >
      <Dialog aria-label={title} className="outline-none">
        {findings.map((finding) => {
          const { code, level, other_row: other } = finding;
          const rows = counts?.[code];
          const others = code === repeated ? row.repeats.slice(0, maxShown) : other === null ? [] : [other];
          return (
            <section key={code}>
              <header>
                <SeverityIcon is={code === repeated ? 'ok' : level === 'error' ? 'bad' : 'warn'} />
                <h3 className="h2 flex-1">{title}</h3>
                <span className="mono text-hint text-12">{code}</span>
              </header>
              <p className="ink">{faultText(finding)}.</p>
              <p className="text-muted text-12">{adviceText(finding)}.</p>
              <footer>
                {rows !== undefined && rows > 0 && (
                  <span className="text-12">{t('contacts.haveThis', { n: rows, shown: count(rows) })}</span>
                )}
                <span className="flex-1" />
                {onRow !== undefined &&
                  others.map((each) => (
                    <Button key={each} size="xs" kind="ghost" onPress={() => onRow(each)}>
                      {t('contacts.toRow', { row: count(each) })}
                    </Button>
                  ))}
                {onNext !== undefined && rows !== undefined && rows > 1 && (
                  <Button
                    size="xs"
                    kind="ghost"
                    isDisabled={isBusy}
                    onPress={() => run(async () => await onNext(code))}
                  >
                    {t('contacts.nextRow')}
                  </Button>
                )}
                {onShowOnly !== undefined && code !== repeated && (
                  <Button
                    size="xs"
                    onPress={() => {
                      onClose();
                      onShowOnly(code);
                    }}
                  >
                    {t('contacts.showOnly')}
                  </Button>
                )}
              </footer>
            </section>
          );
        })}
        <Refusal error={error} />
      </Dialog>
    </Popover>
  );
}
