import { useQueryClient } from '@tanstack/react-query';
import { MessageSquareText, PhoneOff, Split, Volume2, VolumeX } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import type { LiveRun, WorkflowRun } from '../../../../src/contract/calls.ts';
import { call } from '../../app/api.ts';
import { t } from '../../app/words.ts';
import { Refusal, useAction } from '../../parts/action.tsx';
import { Button } from '../../parts/button.tsx';
import { Menu } from '../../parts/menu.tsx';
import { toast } from '../../parts/toast.tsx';
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
  const [isAsking, setAsking] = useState(false);
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
        setAsking(false);
      },
      t(politely ? 'call.sayingGoodbye' : 'call.hangingUp'),
    );
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
        <Button
          kind="danger"
          icon={PhoneOff}
          needs="calls:trigger"
          isDisabled={isAsking || isBusy}
          onPress={() => setAsking(true)}
        >
          {t('call.hangUp')}
        </Button>
      </div>
      <div role="status">{paused && <p className="banner is-warn">{t('call.isSilent')}</p>}</div>
      {isAsking && (
        <div className="banner is-bad steer-ask" role="group" aria-label={t('call.hangUpOn', { who })}>
          <p>
            <b>{t('call.hangUpOn', { who })}</b>
            <span>{t(isTalking ? 'call.hangUpWhat' : 'call.hangUpRinging')}</span>
          </p>
          <Button autoFocus onPress={() => setAsking(false)}>
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
