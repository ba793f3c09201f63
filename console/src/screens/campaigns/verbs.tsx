import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { call } from '../../app/api.ts';
import { get, queries } from '../../app/query.ts';
import { t } from '../../app/words.ts';
import { Confirm, Refusal, useAction } from '../../parts/action.tsx';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { FormDialog } from '../../parts/form.tsx';
import { entriesOf, wordsOf } from '../../parts/form-values.ts';
import { toast } from '../../parts/toast.tsx';
import { type Campaign, outcomesOf, type Progress, redialable, type Verb } from './facts.ts';
import { Ways } from './ways.tsx';
import type { SettingName } from './settings.ts';
import { outcomeText } from './words.tsx';

/** What a person wants to do; for a change also the setting to begin with. */
export interface Asked {
  verb: Verb;
  at?: SettingName | undefined;
}

/** Takes an answer with the campaign for what is known of it, and reads the rest again. */
export async function tookPlace(campaign: Campaign): Promise<void> {
  const input = { params: { campaign_id: campaign.id } };
  queries.setQueryData(get('/campaign/{campaign_id}', input).queryKey, campaign);
  await Promise.all(
    ['/campaign/{campaign_id}/progress', '/campaign/{campaign_id}/rows', '/campaign/'].map((path) =>
      queries.invalidateQueries({ queryKey: [path] }),
    ),
  );
}

interface VerbDialogProps {
  verb: Exclude<Verb, 'change'>;
  campaign: Campaign;
  progress: Progress;
  onClose: () => void;
  onAsk: (verb: Verb) => void;
}

/** Says what a verb does to the calls in progress and to those who wait, and does it. */
export function VerbDialog(props: VerbDialogProps) {
  const { verb, campaign, progress, onClose } = props;
  if (verb === 'stop') return <StopDialog {...props} />;
  if (verb === 'redial') return <RedialDialog {...props} />;
  const { name } = campaign;
  const calls = progress.rows.processing;
  const waiting = progress.rows.queued + progress.rows.waiting;
  const rows = verb === 'start' ? (progress.total_rows ?? 0) : waiting;
  return (
    <Confirm
      title={t(`campaigns.ask.${verb}`, { name })}
      button={t(`campaigns.do.${verb}`)}
      isDanger={false}
      onClose={onClose}
      onConfirm={async () => {
        const { body } = await call('post', `/campaign/{campaign_id}/${verb}`, {
          params: { campaign_id: campaign.id },
        });
        await tookPlace(body);
        toast(t(`campaigns.did.${verb}`, { name }));
      }}
    >
      <p>{t(`campaigns.what.${verb}`, { calls, rows })}</p>
    </Confirm>
  );
}

function StopDialog({ campaign, progress, onClose, onAsk }: VerbDialogProps) {
  const [mode, setMode] = useState<'finish' | 'hang_up'>('finish');
  const { run, error, isBusy } = useAction();
  const calls = progress.rows.processing;
  const { queued, waiting } = progress.rows;
  const stop = () =>
    run(async () => {
      const { body } = await call('post', '/campaign/{campaign_id}/stop', {
        params: { campaign_id: campaign.id },
        body: { mode },
      });
      await tookPlace(body);
      toast(t('campaigns.did.stop', { name: campaign.name }));
      onClose();
    });
  return (
    <Dialog
      title={t('campaigns.ask.stop', { name: campaign.name })}
      isOpen
      onClose={onClose}
      footer={
        <>
          {progress.state !== 'paused' && (
            <>
              <Button kind="ghost" onPress={() => onAsk('pause')}>
                {t('campaigns.pauseInstead')}
              </Button>
              <span className="flex-1" />
            </>
          )}
          <Button onPress={onClose}>{t('common.cancel')}</Button>
          <Button kind="danger" isDisabled={isBusy} onPress={stop}>
            {t(`campaigns.stopDo.${mode}`)}
          </Button>
        </>
      }
    >
      <div className="grid gap-3">
        <p className="text-muted">{t('campaigns.what.stop')}</p>
        <Ways
          label={t('campaigns.callsInProgress')}
          value={mode}
          onChange={setMode}
          ways={(['finish', 'hang_up'] as const).map((id) => ({
            id,
            label: t(`campaigns.stopWay.${id}`, { calls }),
            hint: t(`campaigns.stopWayHint.${id}`, { calls }),
          }))}
        />
        <p className="text-muted text-12">{t('campaigns.stopRows', { queued, waiting })}</p>
        <Refusal error={error} />
      </div>
    </Dialog>
  );
}

/** Makes a campaign of the contacts that ended in some ways. */
function RedialDialog({ campaign, progress, onClose }: VerbDialogProps) {
  const navigate = useNavigate();
  const present = outcomesOf(progress).filter(({ outcome }) => redialable.includes(outcome));
  const usual = ['no_answer', 'busy', 'voicemail'];
  if (present.length === 0)
    return (
      <Dialog
        title={t('campaigns.redialTitle')}
        isOpen
        onClose={onClose}
        footer={<Button onPress={onClose}>{t('common.close')}</Button>}
      >
        <p>{t('campaigns.redialNobody')}</p>
      </Dialog>
    );
  return (
    <FormDialog
      title={t('campaigns.redialTitle')}
      saveLabel={t('campaigns.redialDo')}
      isNew
      fields={[
        { name: 'name', label: t('campaigns.name'), kind: 'text', isRequired: true },
        {
          name: 'outcomes',
          label: t('campaigns.redialWho'),
          kind: 'checks',
          isRequired: true,
          hint: t('campaigns.redialHint'),
          options: present.map(({ outcome, rows }) => ({
            value: outcome,
            label: t('campaigns.redialOutcome', { outcome: outcomeText(outcome), rows }),
          })),
        },
      ]}
      initial={{
        name: t('campaigns.redialName', { name: campaign.name }),
        outcomes: present.flatMap(({ outcome }) => (usual.includes(outcome) ? [outcome] : [])),
      }}
      onSave={async (values) => {
        const { body } = await call('post', '/campaign/{campaign_id}/redial', {
          params: { campaign_id: campaign.id },
          body: {
            name: wordsOf(values, 'name'),
            // The outcomes count instead of these.
            retry_on_voicemail: false,
            retry_on_no_answer: false,
            retry_on_busy: false,
            outcomes: entriesOf(values, 'outcomes') as ('no_answer' | 'busy')[],
          },
        });
        await queries.invalidateQueries({ queryKey: ['/campaign/{campaign_id}'] });
        await queries.invalidateQueries({ queryKey: ['/campaign/'] });
        await navigate({ to: '/campaigns/$id', params: { id: String(body.id) } });
        toast(t('campaigns.did.redial', { name: body.name }));
      }}
      onClose={onClose}
    />
  );
}
