import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Ellipsis, Printer } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { WorkflowRun } from '../../../../src/contract/calls.ts';
import { call } from '../../app/api.ts';
import { date, timeOfDay } from '../../app/format.ts';
import { get } from '../../app/query.ts';
import { t } from '../../app/words.ts';
import { Confirm } from '../../parts/action.tsx';
import { IconButton } from '../../parts/button.tsx';
import { Menu } from '../../parts/menu.tsx';
import { erasedAt } from './facts.ts';

const followMs = 2000;

/** The erasure of a call: whether it was asked for here, and the way to ask. Follows it to its end. */
export function useErasing(run: WorkflowRun) {
  const client = useQueryClient();
  const [wasAsked, setAsked] = useState(false);
  const isErased = erasedAt(run) !== null;
  const params = { workflow_id: run.workflow_id, run_id: run.id };
  useQuery({
    ...get('/workflow/{workflow_id}/runs/{run_id}', { params }),
    enabled: wasAsked && !isErased,
    refetchInterval: followMs,
  });
  useEffect(() => {
    if (!wasAsked || !isErased) return;
    // Their bodies are gone, too.
    for (const path of ['/webhook-deliveries', '/webhook-deliveries/{delivery_uuid}'])
      void client.invalidateQueries({ queryKey: [path] });
  }, [client, wasAsked, isErased]);
  return {
    isErasing: wasAsked && !isErased,
    erase: async () => {
      await call('post', '/workflow/{workflow_id}/runs/{run_id}/erase', { params });
      setAsked(true);
    },
  };
}

export type Erasing = ReturnType<typeof useErasing>;

/** What else can be done with a call. */
export function MoreMenu({ run, erasing: { isErasing, erase } }: { run: WorkflowRun; erasing: Erasing }) {
  const [isAsking, setAsking] = useState(false);
  const why = !run.is_completed
    ? 'call.eraseLater'
    : isErasing
      ? 'call.isErasing'
      : erasedAt(run) === null
        ? null
        : 'call.isErased';
  return (
    <>
      <Menu
        label={t('call.actions')}
        trigger={<IconButton icon={Ellipsis} label={t('call.actions')} />}
        entries={[
          { id: 'print', label: t('call.printMenu'), icon: Printer, onAction: () => window.print() },
          null,
          {
            id: 'erase',
            needs: 'admin',
            label: t('call.eraseMenu'),
            isDanger: why === null,
            isDisabled: why !== null,
            ...(why === null ? {} : { note: t(why) }),
            onAction: () => setAsking(true),
          },
        ]}
      />
      {isAsking && (
        <Confirm
          title={t('call.eraseTitle')}
          button={t('call.erase')}
          onClose={() => setAsking(false)}
          onConfirm={erase}
        >
          <div className="grid gap-2">
            <p>{t('call.eraseWhat')}</p>
            <p>{t('call.eraseKeeps')}</p>
          </div>
        </Confirm>
      )}
    </>
  );
}

/** Says that the call is being erased, or that it was. */
export function ErasedBanner({ run, erasing: { isErasing } }: { run: WorkflowRun; erasing: Erasing }) {
  const at = erasedAt(run);
  return (
    <div role="status">
      {(isErasing || at !== null) && (
        <p className="banner is-machine">{at === null ? t('call.erasing') : erasedOn('call.erased', at)}</p>
      )}
    </div>
  );
}

/** Words with the moment of an erasure. */
export function erasedOn(id: string, at: string): string {
  const moment = new Date(at);
  return t(id, { at: `${date(moment)}, ${timeOfDay(moment)}` });
}
