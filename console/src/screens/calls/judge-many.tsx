import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { UsageRun } from '../../../../src/contract/usage.ts';
import { call } from '../../app/api.ts';
import { t } from '../../app/words.ts';
import { Refusal, useAction, wordsOfError } from '../../parts/action.tsx';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Select } from '../../parts/select.tsx';
import { maxJudged, tally } from './bulk.ts';

type Judged = Pick<UsageRun, 'id' | 'workflow_id'>;
const versions = ['pinned', 'published'] as const;
const pageSize = 100;

/** Calls of the list: those that were chosen, or all that match its filters. */
export type ChosenCalls =
  | { calls: readonly Judged[] }
  | { filters: string | undefined; until: string; total: number };

export const countOf = (chosen: ChosenCalls): number =>
  'calls' in chosen ? chosen.calls.length : chosen.total;

async function readAll(chosen: ChosenCalls): Promise<readonly Judged[]> {
  if ('calls' in chosen) return chosen.calls;
  const found: Judged[] = [];
  for (let page = 1; found.length < maxJudged; page += 1) {
    const { body } = await call('get', '/organizations/usage/runs', {
      query: {
        page,
        limit: pageSize,
        end_date: chosen.until,
        ...(chosen.filters === undefined ? {} : { filters: chosen.filters }),
      },
    });
    found.push(...body.runs);
    if (page >= body.total_pages) break;
  }
  return found.slice(0, maxJudged);
}

interface Progress {
  total: number;
  judged: number;
  /** Why a call could not be judged, one for each. */
  refusals: readonly string[];
}

/** Asks by which version the calls are judged again, asks for each judgment, and says which could not be asked for. */
export function JudgeMany({ chosen, onClose }: { chosen: ChosenCalls; onClose: () => void }) {
  const client = useQueryClient();
  const { run, error, isBusy } = useAction();
  const [version, setVersion] = useState<(typeof versions)[number]>('pinned');
  const [progress, setProgress] = useState<Progress>();
  const isStopped = useRef(false);
  useEffect(
    () => () => {
      isStopped.current = true;
    },
    [],
  );
  const count = countOf(chosen);
  const judge = () =>
    run(async () => {
      const calls = await readAll(chosen);
      let now: Progress = { total: calls.length, judged: 0, refusals: [] };
      setProgress(now);
      for (const { id, workflow_id: agentId } of calls) {
        if (isStopped.current) break;
        try {
          await call('post', '/workflow/{workflow_id}/runs/{run_id}/judge', {
            params: { workflow_id: agentId, run_id: id },
            body: { version },
          });
          now = { ...now, judged: now.judged + 1 };
        } catch (refusal) {
          now = { ...now, refusals: [...now.refusals, wordsOfError(refusal)] };
        }
        setProgress(now);
      }
      await client.invalidateQueries({ queryKey: ['/workflow/{workflow_id}/runs/{run_id}'] });
    });
  return (
    <Dialog
      title={t('calls.judgeTitle', { count })}
      isOpen
      onClose={onClose}
      footer={
        progress === undefined ? (
          <>
            <Button onPress={onClose}>{t('common.cancel')}</Button>
            <Button kind="primary" sends isDisabled={isBusy || count > maxJudged} onPress={judge}>
              {t('calls.judgeDo', { count })}
            </Button>
          </>
        ) : (
          <Button kind={isBusy ? 'plain' : 'primary'} onPress={onClose}>
            {t(isBusy ? 'calls.judgeStop' : 'common.close')}
          </Button>
        )
      }
    >
      {progress === undefined ? (
        <div className="grid gap-4">
          <p>{t('calls.judgeWhat')}</p>
          {count > maxJudged && (
            <p className="text-warn-text">{t('calls.judgeTooMany', { most: maxJudged })}</p>
          )}
          <Select
            label={t('calls.judgeBy')}
            value={version}
            onChange={(next) => setVersion(versions.find((each) => each === next) ?? 'pinned')}
            options={versions.map((value) => ({ value, label: t(`calls.judgeBy.${value}`) }))}
          />
          <Refusal error={error} />
        </div>
      ) : (
        <div className="grid gap-3">
          <progress
            className="w-full"
            aria-label={t('calls.judgeTitle', { count })}
            max={progress.total}
            value={progress.judged + progress.refusals.length}
          />
          <p role="status" className="text-ink">
            {t(isBusy ? 'calls.judgeAsking' : 'calls.judgeAsked', {
              count: progress.judged,
              total: progress.total,
            })}
          </p>
          {progress.refusals.length > 0 && (
            <>
              <p>{t('calls.judgeNot', { count: progress.refusals.length })}</p>
              <ul className="grid list-disc gap-1 ps-5">
                {tally(progress.refusals).map(({ reason, calls }) => (
                  <li key={reason}>
                    <b className="num text-ink font-medium">{calls}</b> {reason}
                  </li>
                ))}
              </ul>
            </>
          )}
          <Refusal error={error} />
        </div>
      )}
    </Dialog>
  );
}
