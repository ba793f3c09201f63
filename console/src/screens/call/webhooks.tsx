import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { ChevronRight, CircleCheck, Clock, OctagonAlert, RotateCcw } from 'lucide-react';
import { useState } from 'react';
import type { WebhookDelivery, WebhookDeliveryDetail } from '../../../../src/contract/webhook-deliveries.ts';
import { ApiError, call } from '../../app/api.ts';
import { seconds, timeOfDay } from '../../app/format.ts';
import { get } from '../../app/query.ts';
import { t } from '../../app/words.ts';
import { Tag } from '../../parts/badge.tsx';
import { Button } from '../../parts/button.tsx';
import { cx } from '../../parts/cx.ts';
import { Loaded } from '../../parts/states.tsx';
import { toast } from '../../parts/toast.tsx';
import { When } from '../../parts/when.tsx';
import { erasedOn } from './erasing.tsx';

const states = {
  pending: { is: 'warn', icon: Clock },
  succeeded: { is: 'ok', icon: CircleCheck },
  dead_letter: { is: 'bad', icon: OctagonAlert },
} as const;

const list = '/webhook-deliveries';
const followMs = 3000;

/** The deliveries of a call, read again while one is under way or `mayGrow`. */
export const deliveriesOf = (runId: number, mayGrow: boolean) => ({
  ...get(list, { query: { run_id: runId, limit: 50 } }),
  refetchInterval: ({ state }: { state: { data?: { items: readonly WebhookDelivery[] } | undefined } }) =>
    mayGrow || state.data?.items.some((each) => each.state === 'pending') === true
      ? followMs
      : (false as const),
});

/** What was sent to the customer's endpoints, with each attempt, and the way to send it again. */
export function Webhooks({
  deliveries,
  names,
  isEnded,
}: {
  deliveries: readonly WebhookDelivery[];
  /** Names of nodes by their ids. */
  names: ReadonlyMap<string, string>;
  isEnded: boolean;
}) {
  if (deliveries.length === 0)
    return <p className="call-note">{t(isEnded ? 'call.noWebhooks' : 'call.webhooksLater')}</p>;
  return (
    <div className="grid gap-3 p-4">
      {deliveries.map((delivery) => (
        <Delivery
          key={delivery.id}
          delivery={delivery}
          name={names.get(delivery.node_id) ?? delivery.node_id}
        />
      ))}
    </div>
  );
}

function Delivery({ delivery, name }: { delivery: WebhookDelivery; name: string }) {
  const client = useQueryClient();
  const read = get('/webhook-deliveries/{delivery_uuid}', { params: { delivery_uuid: delivery.id } });
  const detail = useQuery({
    ...read,
    // The list says when there is something new.
    queryKey: [...read.queryKey, delivery.state, delivery.attempt_count],
    placeholderData: keepPreviousData,
    refetchInterval: delivery.state === 'pending' ? followMs : false,
  });
  const resend = useMutation({
    mutationFn: async () =>
      await call('post', '/webhook-deliveries/{delivery_uuid}/resend', {
        params: { delivery_uuid: delivery.id },
      }),
    onSuccess: async () => {
      toast(t('call.resent', { name }));
      await Promise.all([
        client.invalidateQueries({ queryKey: [list] }),
        client.invalidateQueries({ queryKey: ['/webhook-deliveries/{delivery_uuid}'] }),
      ]);
    },
  });
  const { is, icon } = states[delivery.state];
  return (
    <section className="card delivery" aria-label={name}>
      <header>
        <h3 className="text-ink cut font-medium">{name}</h3>
        <Tag is={is} icon={icon}>
          {t(`call.delivery.${delivery.state}`)}
        </Tag>
        <span className="grow" />
        <Button
          icon={RotateCcw}
          needs="webhooks:replay"
          isDisabled={resend.isPending || delivery.erased_at !== null}
          onPress={() => resend.mutate()}
        >
          {t('call.resend')}
        </Button>
      </header>
      <p className="mono text-12 text-muted url">
        {delivery.method} {delivery.url}
      </p>
      {resend.isError && (
        <p role="alert" className="text-bad-text">
          {resend.error instanceof ApiError ? resend.error.message : t('common.unexpected')}
        </p>
      )}
      {delivery.erased_at !== null && (
        <p className="text-muted">{erasedOn('call.erasedBody', delivery.erased_at)}</p>
      )}
      <Loaded query={detail} rows={2}>
        {(full) => <Attempts delivery={full} />}
      </Loaded>
    </section>
  );
}

function Attempts({ delivery }: { delivery: WebhookDeliveryDetail }) {
  return (
    <>
      <ol className="attempts">
        {delivery.attempts.map((attempt) => (
          <li key={attempt.number} className={cx(stateColor[attempt.state])}>
            <span className="k">{attempt.number}</span>
            <span>
              <span className="text-ink">
                {t(`call.attempt.${attempt.state}`)}
                {attempt.status_code !== null && <b> {attempt.status_code}</b>}
              </span>
              <span className="text-12 text-muted">
                {' '}
                {timeOfDay(new Date(attempt.started_at))}
                {attempt.duration_ms !== null && ` · ${seconds(attempt.duration_ms)}`}
              </span>
              {attempt.error !== null && <span className="text-12 text-muted block">{attempt.error}</span>}
              {attempt.response_excerpt !== null && attempt.response_excerpt !== '' && (
                <Folded label={t('call.answer')} text={attempt.response_excerpt} />
              )}
            </span>
          </li>
        ))}
      </ol>
      {delivery.attempts.length === 0 && <p className="text-muted">{t('call.noAttempts')}</p>}
      {delivery.state === 'pending' && delivery.next_attempt_at !== null && (
        <p className="text-12 text-muted">
          {t('call.nextAttempt')} <When at={delivery.next_attempt_at} />
        </p>
      )}
      {delivery.body !== null && <Folded label={t('call.body')} text={pretty(delivery.body)} />}
    </>
  );
}

const stateColor = { started: 'is-machine', succeeded: 'is-ok', failed: 'is-bad' } as const;

export function Folded({ label, text }: { label: string; text: string }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <div className="folded">
      <button type="button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <ChevronRight className={cx('i', isOpen && 'rotate-90')} aria-hidden size={14} strokeWidth={1.5} />
        {label}
      </button>
      {isOpen && <pre className="code">{text}</pre>}
    </div>
  );
}

function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
