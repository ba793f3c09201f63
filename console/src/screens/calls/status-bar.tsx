import { Download, RotateCcw } from 'lucide-react';
import { useState } from 'react';
import type { UsageRun } from '../../../../src/contract/usage.ts';
import { nowDate } from '../../app/clock.ts';
import { count } from '../../app/format.ts';
import { rootPath } from '../../app/root.ts';
import { saveFile } from '../../app/save-file.ts';
import { t } from '../../app/words.ts';
import { Button } from '../../parts/button.tsx';
import { CopyButton } from '../../parts/copy-button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { filtersOfCalls } from './bulk.ts';
import { type ChosenCalls, JudgeMany } from './judge-many.tsx';
import { NumbersToggle } from './numbers-toggle.tsx';

/** Saves the CSV of exactly the calls that pass the filters. */
export function Export({
  filters,
  total,
  children,
}: {
  filters: string | undefined;
  total: number | undefined;
  /** Its words, if it is not all that the list has. */
  children?: string;
}) {
  const [isBusy, setBusy] = useState(false);
  const [fault, setFault] = useState<string>();
  const save = async () => {
    setBusy(true);
    setFault(undefined);
    try {
      const query = filters === undefined ? '' : `?${new URLSearchParams({ filters }).toString()}`;
      await saveFile(`/organizations/usage/runs/report${query}`);
    } catch (error) {
      setFault(error instanceof Error ? error.message : String(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <>
      <Button
        icon={Download}
        isDisabled={isBusy || total === undefined || total === 0}
        onPress={() => void save()}
        {...(children === undefined ? {} : { kind: 'ghost' })}
      >
        {isBusy ? t('calls.exporting') : (children ?? t('calls.export', { count: total ?? 0 }))}
      </Button>
      <Dialog
        title={t('calls.exportFailed')}
        isOpen={fault !== undefined}
        onClose={() => setFault(undefined)}
        footer={
          <Button kind="primary" onPress={() => void save()}>
            {t('common.retry')}
          </Button>
        }
      >
        <p>{fault}</p>
      </Dialog>
    </>
  );
}

interface StatusBarProps {
  total: number | undefined;
  page: number;
  pages: number;
  selected: readonly UsageRun[];
  /** All that match the filters, on all pages. */
  areAllSelected: boolean;
  filters: string | undefined;
  onSelectAll: () => void;
  onClear: () => void;
  onPage: (page: number) => void;
}

export function StatusBar({ total, page, pages, selected, onPage, ...rest }: StatusBarProps) {
  return (
    <div className="statusbar">
      {selected.length === 0 ? (
        <>
          <span>{total === undefined ? '' : t('calls.total', { count: total, shown: count(total) })}</span>
          <NumbersToggle />
          <kbd className="hide-s">p</kbd>
        </>
      ) : (
        <ForSelected total={total ?? 0} selected={selected} {...rest} />
      )}
      <span className="grow" />
      {pages > 1 && (
        <nav aria-label={t('calls.pages')} className="flex items-center gap-2">
          <Button size="xs" isDisabled={page <= 1} onPress={() => onPage(page - 1)}>
            {t('calls.previous')}
          </Button>
          <span>{t('calls.page', { page, pages })}</span>
          <Button size="xs" isDisabled={page >= pages} onPress={() => onPage(page + 1)}>
            {t('calls.next')}
          </Button>
        </nav>
      )}
      {selected.length === 0 && (
        <span className="hide-s calls-keys">
          <kbd>x</kbd> {t('calls.keySelect')} <kbd>Space</kbd> {t('calls.keyPeek')} <kbd>o</kbd>{' '}
          {t('calls.keyOpen')}
        </span>
      )}
    </div>
  );
}

/** What can be done with the selected calls together. */
function ForSelected({
  total,
  selected,
  areAllSelected,
  filters,
  onSelectAll,
  onClear,
}: Pick<StatusBarProps, 'selected' | 'areAllSelected' | 'filters' | 'onSelectAll' | 'onClear'> & {
  total: number;
}) {
  const [judged, setJudged] = useState<ChosenCalls>();
  const chosen = areAllSelected ? total : selected.length;
  const links = areAllSelected
    ? [location.href]
    : selected.map(({ id, workflow_id: agentId }) => `${location.origin}${rootPath}/calls/${agentId}/${id}`);
  return (
    <>
      <span role="status" className="text-ink font-medium">
        {t('calls.selected', { count: chosen })}
      </span>
      {!areAllSelected && total > selected.length && (
        <Button kind="ghost" className="text-accent-text" onPress={onSelectAll}>
          {t('calls.selectAll', { count: total })}
        </Button>
      )}
      <Export
        filters={areAllSelected ? filters : filtersOfCalls(selected.map(({ id }) => id))}
        total={chosen}
      >
        {t('calls.exportSelected')}
      </Export>
      <Button
        kind="ghost"
        icon={RotateCcw}
        needs="calls:trigger"
        onPress={() =>
          setJudged(areAllSelected ? { filters, until: nowDate().toISOString(), total } : { calls: selected })
        }
      >
        {t('call.judgeAgain')}
      </Button>
      <CopyButton text={links.join('\n')} label={t(areAllSelected ? 'calls.copyLink' : 'calls.copyLinks')} />
      <Button kind="ghost" onPress={onClear}>
        {t('calls.clearSelection')}
      </Button>
      {judged !== undefined && <JudgeMany chosen={judged} onClose={() => setJudged(undefined)} />}
    </>
  );
}
