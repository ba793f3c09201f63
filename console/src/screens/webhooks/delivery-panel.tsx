import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Clock, Repeat, X } from 'lucide-react';
import { useState } from 'react';
import type { WebhookDeliveryDetail } from '../../../../src/contract/webhook-deliveries.ts';
import { call } from '../../app/api.ts';
import { duration, seconds } from '../../app/format.ts';
import { get } from '../../app/query.ts';
import { t } from '../../app/words.ts';
import { Refusal, useAction } from '../../parts/action.tsx';
import { Button, IconButton } from '../../parts/button.tsx';
import { cx } from '../../parts/cx.ts';
import { Loaded } from '../../parts/states.tsx';
import { toast } from '../../parts/toast.tsx';
import { When } from '../../parts/when.tsx';
import { clockOf, DeliveryBadge, refreshDeliveries, RequestText } from './shared.tsx';

type Attempt = WebhookDeliveryDetail['attempts'][number];

const liveMs = 1500;
/** How long an attempt that was asked for is awaited. */
const awaitedMs = 60_000;
/** Between attempts closer than this, nothing was waited for. */
const shortMs = 1000;

/** A delivery: each attempt and what came back, and what was sent. */
export function DeliveryPanel({
  id,
  names,
  isFollowed,
  onResent,
  onClose,
}: {
  id: string;
  names: ReadonlyMap<number, string>;
  /** Deliveries were just sent again, this one perhaps among them. */
  isFollowed: boolean;
  onResent: () => void;
  onClose: () => void;
}) {
  /** Number of the attempt that was asked for. Until a worker makes it, nothing says that one is to come. */
  const [awaited, setAwaited] = useState<number | null>(null);
  const isAwaited = (delivery: WebhookDeliveryDetail | undefined) =>
    awaited !== null && (delivery?.attempts.length ?? 0) < awaited;
  const query = useQuery({
    ...get('/webhook-deliveries/{delivery_uuid}', { params: { delivery_uuid: id } }),
    refetchInterval: ({ state: { data } }) =>
      isFollowed || data?.state === 'pending' || isAwaited(data) ? liveMs : false,
  });
  const { run, error, isBusy } = useAction();
  const resend = (attempts: number) =>
    run(async () => {
      await call('post', '/webhook-deliveries/{delivery_uuid}/resend', { params: { delivery_uuid: id } });
      setAwaited(attempts + 1);
      setTimeout(() => setAwaited(null), awaitedMs);
      onResent();
      await refreshDeliveries();
      toast(t('webhooks.queued', { n: 1 }));
    });
  return (
    <Loaded query={query}>
      {(delivery) => (
        <>
          <div className="delivery-head">
            <h2 className="h2">
              {names.get(delivery.workflow_id) ?? t('webhooks.agentN', { id: delivery.workflow_id })} #
              {delivery.run_id}
            </h2>
            <DeliveryBadge of={delivery} isLong />
            <Link
              to="/calls/$agentId/$runId"
              params={{ agentId: String(delivery.workflow_id), runId: String(delivery.run_id) }}
              className="btn ghost xs"
            >
              {t('webhooks.openCall')}
            </Link>
            <Button
              size="xs"
              icon={Repeat}
              needs="webhooks:replay"
              isDisabled={isBusy || isAwaited(delivery) || delivery.erased_at !== null}
              onPress={() => resend(delivery.attempts.length)}
            >
              {t('webhooks.resend')}
            </Button>
            <IconButton icon={X} size="xs" label={t('common.close')} onPress={onClose} />
          </div>
          <div className="grid gap-4 p-4">
            <Refusal error={error} />
            <Attempts of={delivery} isAwaited={isAwaited(delivery)} />
            <RequestText
              of={{ ...delivery, address: delivery.url.replace(/\?.*$/s, '') }}
              body={delivery.body}
            />
            {delivery.erased_at !== null && (
              <p className="text-muted">
                {t('webhooks.erased')} <When at={delivery.erased_at} />
              </p>
            )}
            <p className="text-hint text-12">{t('webhooks.signedNote')}</p>
          </div>
        </>
      )}
    </Loaded>
  );
}

function Attempts({ of, isAwaited }: { of: WebhookDeliveryDetail; isAwaited: boolean }) {
  return (
    <section aria-label={t('webhooks.attempts')}>
      {of.attempts.length === 0 && <p className="text-muted">{of.last_error ?? t('webhooks.noAttempts')}</p>}
      <ol className="attempts">
        {of.attempts.map((attempt, index) => (
          <AttemptLine key={attempt.number} attempt={attempt} before={of.attempts[index - 1]} />
        ))}
        {(isAwaited || of.next_attempt_at !== null) && (
          <li className="is-machine">
            <span className="number is-wait">
              <Clock className="i" aria-hidden size={14} strokeWidth={1.5} />
            </span>
            <p className="text-muted" role="status">
              {isAwaited || of.next_attempt_at === null
                ? t('webhooks.sending')
                : t('webhooks.nextTry', { at: clockOf(of.next_attempt_at) })}
            </p>
          </li>
        )}
      </ol>
    </section>
  );
}

const looks = { succeeded: 'is-ok', failed: 'is-bad', started: 'is-machine' } as const;

function AttemptLine({ attempt, before }: { attempt: Attempt; before: Attempt | undefined }) {
  const { number, state, status_code: status, duration_ms: ms, error, response_excerpt: answer } = attempt;
  const waitedMs = before === undefined ? 0 : startOf(attempt) - startOf(before) - (before.duration_ms ?? 0);
  return (
    <>
      {waitedMs >= shortMs && (
        <li className="is-machine">
          <span className="number is-wait">
            <Clock className="i" aria-hidden size={14} strokeWidth={1.5} />
          </span>
          <p className="text-muted">{t('webhooks.waited', { duration: duration(waitedMs / 1000) })}</p>
        </li>
      )}
      <li className={looks[state]}>
        <span className={cx('number', looks[state])}>{number}</span>
        <div className="min-w-0">
          <p>
            <span className="text-ink font-medium">
              {status === null ? t(`webhooks.attempt.${state}`) : t('webhooks.answered', { status })}
            </span>{' '}
            {ms !== null && (
              <span className="text-hint">{t('webhooks.after', { duration: seconds(ms) })}</span>
            )}
          </p>
          <p className="text-12 text-muted [overflow-wrap:anywhere]">
            <time dateTime={attempt.started_at}>{clockOf(attempt.started_at)}</time>
            {error !== null && status === null && ` · ${error}`}
          </p>
          {answer !== null && answer !== '' && (
            <details className="mt-1">
              <summary className="link min-h-6 cursor-pointer">{t('webhooks.answer')}</summary>
              <pre className="code is-block" tabIndex={0} aria-label={t('webhooks.answer')}>
                {answer}
              </pre>
            </details>
          )}
        </div>
      </li>
    </>
  );
}

const startOf = ({ started_at: at }: Attempt): number => Date.parse(at);
