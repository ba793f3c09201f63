import { useQuery } from '@tanstack/react-query';
import { RotateCw, X } from 'lucide-react';
import type { WebhookDeliveryDetail } from '../../../../src/contract/webhook-deliveries.ts';
import { call } from '../../app/api.ts';
import { seconds } from '../../app/format.ts';
import { get } from '../../app/query.ts';
import { t } from '../../app/words.ts';
import { Refusal, useAction } from '../../parts/action.tsx';
import { Button, IconButton } from '../../parts/button.tsx';
import { CopyButton } from '../../parts/copy-button.tsx';
import { cx } from '../../parts/cx.ts';
import { Loaded } from '../../parts/states.tsx';
import { toast } from '../../parts/toast.tsx';
import { When } from '../../parts/when.tsx';
import { DeliveryBadge, refreshDeliveries } from './shared.tsx';

const liveMs = 1500;

/** A delivery: what was sent, each attempt and what came back. */
export function DeliveryPanel({
  id,
  names,
  onClose,
}: {
  id: string;
  names: ReadonlyMap<number, string>;
  onClose: () => void;
}) {
  const query = useQuery({
    ...get('/webhook-deliveries/{delivery_uuid}', { params: { delivery_uuid: id } }),
    refetchInterval: ({ state }) => (state.data?.state === 'pending' ? liveMs : false),
  });
  const { run, error, isBusy } = useAction();
  const resend = () =>
    run(async () => {
      await call('post', '/webhook-deliveries/{delivery_uuid}/resend', { params: { delivery_uuid: id } });
      await refreshDeliveries();
      toast(t('webhooks.queued', { n: 1 }));
    });
  return (
    <Loaded query={query}>
      {(delivery) => (
        <>
          <div className="room-row">
            <h2 className="h2 grow">
              {names.get(delivery.workflow_id) ?? t('webhooks.agentN', { id: delivery.workflow_id })} #
              {delivery.run_id}
            </h2>
            <DeliveryBadge of={delivery} />
            <Button icon={RotateCw} isDisabled={isBusy || delivery.erased_at !== null} onPress={resend}>
              {t('webhooks.resend')}
            </Button>
            <IconButton icon={X} label={t('common.close')} onPress={onClose} />
          </div>
          <div className="grid gap-4 p-4">
            <Refusal error={error} />
            <Attempts of={delivery} />
            <Request of={delivery} />
          </div>
        </>
      )}
    </Loaded>
  );
}

function Attempts({ of }: { of: WebhookDeliveryDetail }) {
  return (
    <section>
      <h3 className="h2 mb-2">{t('webhooks.attempts')}</h3>
      {of.attempts.length === 0 && <p className="text-muted">{of.last_error ?? t('webhooks.noAttempts')}</p>}
      <ol className="attempts">
        {of.attempts.map((each) => (
          <li key={each.number}>
            <span
              className={cx(
                'number',
                each.state === 'succeeded' ? 'is-ok' : each.state === 'failed' ? 'is-bad' : 'is-machine',
              )}
            >
              {each.number}
            </span>
            <div className="min-w-0">
              <p>
                <span className="text-ink font-medium">
                  {each.status_code ?? t(`webhooks.attempt.${each.state}`)}
                </span>{' '}
                {each.duration_ms !== null && (
                  <span className="text-hint">
                    {t('webhooks.after', { duration: seconds(each.duration_ms) })}
                  </span>
                )}{' '}
                <span className="text-hint">
                  · <When at={each.started_at} />
                </span>
              </p>
              {each.error !== null && <p className="text-muted [overflow-wrap:anywhere]">{each.error}</p>}
              {each.response_excerpt !== null && each.response_excerpt !== '' && (
                <details className="mt-1">
                  <summary className="link min-h-6 cursor-pointer">{t('webhooks.answer')}</summary>
                  <pre className="code is-block" tabIndex={0} aria-label={t('webhooks.answer')}>
                    {each.response_excerpt}
                  </pre>
                </details>
              )}
            </div>
          </li>
        ))}
      </ol>
      {of.next_attempt_at !== null && (
        <p className="text-muted">
          {t('webhooks.next')} <When at={of.next_attempt_at} />
        </p>
      )}
    </section>
  );
}

function Request({ of }: { of: WebhookDeliveryDetail }) {
  const body = pretty(of.body);
  const text = [
    `${of.method} ${of.url}`,
    ...of.request_headers.map(({ name, value }) => `${name}: ${value}`),
    ...(body === null ? [] : ['', body]),
  ].join('\n');
  return (
    <section>
      <div className="code-head">
        <h3 className="h2 flex-1">{t('webhooks.request')}</h3>
        <CopyButton text={text} name={t('common.copy')} />
      </div>
      <pre className="code is-block" tabIndex={0} aria-label={t('webhooks.request')}>
        {text}
      </pre>
      {of.erased_at !== null && (
        <p className="text-muted mt-2">
          {t('webhooks.erased')} <When at={of.erased_at} />
        </p>
      )}
      <p className="text-hint text-12 mt-2">{t('webhooks.signedNote')}</p>
    </section>
  );
}

function pretty(body: string | null): string | null {
  if (body === null) return null;
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}
