import { useQueryClient } from '@tanstack/react-query';
import { MessageSquareText, PhoneForwarded, PhoneOff, Split, Volume2, VolumeX } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import type { LiveRun, WorkflowRun } from '../../../../src/contract/calls.ts';
import { call } from '../../app/api.ts';
import { t } from '../../app/words.ts';
import { Refusal, useAction } from '../../parts/action.tsx';
import { Button } from '../../parts/button.tsx';
import { Menu } from '../../parts/menu.tsx';
import { TextField } from '../../parts/text-field.tsx';
import { toast } from '../../parts/toast.tsx';
import { channelOf } from './facts.ts';
import { isPaused } from './marks.ts';
import type { VersionGraph } from './version-graph.ts';

/** What a person who follows a live spoken call can do with it. */
export function Intervening({
  run,
  live,
  graph,
  who,
}: {
  run: WorkflowRun;
  live: LiveRun | undefined;
  graph: VersionGraph;
  /** The person on the line. */
  who: string;
}) {
  const client = useQueryClient();
  const { run: begin, error, isBusy } = useAction();
  const [words, setWords] = useState('');
  const [asking, setAsking] = useState<'hangup' | 'transfer' | null>(null);
  const [to, setTo] = useState('');
  const params = { workflow_id: run.workflow_id, run_id: run.id };
  // The call is at no node before its first turn is over.
  const isTalking = live !== undefined && live.events.length + live.running.length > 0;
  const paused = isPaused(live?.interventions ?? []);
  const ask = (work: () => Promise<unknown>, done?: string) =>
    begin(async () => {
      await work();
      if (done !== undefined) toast(done);
      await client.invalidateQueries({ queryKey: ['/workflow/{workflow_id}/runs/{run_id}/live'] });
    });
  const tell = (verb: 'say' | 'whisper') =>
    ask(
      async () => {
        const input = { params, body: { text: words.trim() } };
        if (verb === 'say') await call('post', '/workflow/{workflow_id}/runs/{run_id}/say', input);
        else await call('post', '/workflow/{workflow_id}/runs/{run_id}/whisper', input);
        setWords('');
      },
      t(verb === 'say' ? 'call.saying' : 'call.whispered'),
    );
  const hangUp = (politely: boolean) =>
    ask(
      async () => {
        await call('post', '/workflow/{workflow_id}/runs/{run_id}/hangup', { params, body: { politely } });
        setAsking(null);
      },
      t(politely ? 'call.sayingGoodbye' : 'call.hangingUp'),
    );
  const transfer = (event: FormEvent) => {
    event.preventDefault();
    ask(
      async () => {
        await call('post', '/workflow/{workflow_id}/runs/{run_id}/transfer', {
          params,
          body: { to: to.trim() },
        });
        setAsking(null);
      },
      t('call.transferring', { to: to.trim() }),
    );
  };
  const send = (event: FormEvent) => {
    event.preventDefault();
    if (words.trim() !== '') tell('say');
  };
  const isSilent = words.trim() === '' || !isTalking || isBusy;
  return (
    <section className="steer" aria-label={t('call.steer')}>
      <div className="steer-bar">
        <form className="steer-words" onSubmit={send}>
          <label className="find input">
            <MessageSquareText className="i" aria-hidden size={16} strokeWidth={1.5} />
            <input
              aria-label={t('call.sayWhat')}
              placeholder={t('call.sayWhat')}
              maxLength={1000}
              value={words}
              onChange={({ target }) => setWords(target.value)}
            />
          </label>
          <Button type="submit" needs="calls:trigger" isDisabled={isSilent}>
            {t('call.say')}
          </Button>
          <Button needs="calls:trigger" isDisabled={isSilent} onPress={() => tell('whisper')}>
            {t('call.whisper')}
          </Button>
        </form>
        <Menu
          label={t('call.move')}
          trigger={
            <Button icon={Split} needs="calls:trigger" isDisabled={!isTalking || isBusy}>
              {t('call.move')}
            </Button>
          }
          entries={graph.nodes.map(({ id, label = id }) => ({
            id,
            label,
            ...(label === live?.current_node ? { note: t('call.isHere') } : {}),
            onAction: () =>
              ask(
                () =>
                  call('post', '/workflow/{workflow_id}/runs/{run_id}/goto', {
                    params,
                    body: { node_id: id },
                  }),
                t('call.moving', { node: label }),
              ),
          }))}
        />
        <Button
          icon={paused ? Volume2 : VolumeX}
          needs="calls:trigger"
          isDisabled={!isTalking || isBusy}
          onPress={() =>
            ask(() =>
              paused
                ? call('post', '/workflow/{workflow_id}/runs/{run_id}/resume', { params })
                : call('post', '/workflow/{workflow_id}/runs/{run_id}/pause', { params }),
            )
          }
        >
          {t(paused ? 'call.resume' : 'call.silence')}
        </Button>
        {channelOf(run.mode) === 'phone' && (
          <Button
            icon={PhoneForwarded}
            needs="calls:trigger"
            isDisabled={!isTalking || asking !== null || isBusy}
            onPress={() => setAsking('transfer')}
          >
            {t('call.transfer')}
          </Button>
        )}
        <Button
          kind="danger"
          icon={PhoneOff}
          needs="calls:trigger"
          isDisabled={asking !== null || isBusy}
          onPress={() => setAsking('hangup')}
        >
          {t('call.hangUp')}
        </Button>
      </div>
      <div role="status">{paused && <p className="banner is-warn">{t('call.isSilent')}</p>}</div>
      {asking === 'transfer' && (
        <form className="banner steer-ask" aria-label={t('call.transferWho', { who })} onSubmit={transfer}>
          <p>
            <b>{t('call.transferWho', { who })}</b>
            <span>{t('call.transferWhat')}</span>
          </p>
          <TextField
            label={t('call.transferTo')}
            type="tel"
            hasFocus
            maxLength={255}
            value={to}
            onChange={setTo}
          />
          <Button onPress={() => setAsking(null)}>{t('call.goOn')}</Button>
          <Button type="submit" kind="primary" isDisabled={to.trim() === '' || isBusy}>
            {t('call.transfer')}
          </Button>
        </form>
      )}
      {asking === 'hangup' && (
        <div className="banner is-bad steer-ask" role="group" aria-label={t('call.hangUpOn', { who })}>
          <p>
            <b>{t('call.hangUpOn', { who })}</b>
            <span>{t(isTalking ? 'call.hangUpWhat' : 'call.hangUpRinging')}</span>
          </p>
          <Button autoFocus onPress={() => setAsking(null)}>
            {t('call.goOn')}
          </Button>
          {isTalking && (
            <Button isDisabled={isBusy} sends onPress={() => hangUp(true)}>
              {t('call.sayGoodbye')}
            </Button>
          )}
          <Button kind="danger" isDisabled={isBusy} sends onPress={() => hangUp(false)}>
            {t('call.hangUpNow')}
          </Button>
        </div>
      )}
      <Refusal error={error} />
    </section>
  );
}
