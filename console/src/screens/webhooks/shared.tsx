import { useQuery } from '@tanstack/react-query';
import { CheckCircle2, Clock, OctagonAlert } from 'lucide-react';
import { useMemo } from 'react';
import type { WebhookDelivery } from '../../../../src/contract/webhook-deliveries.ts';
import { nowMs } from '../../app/clock.ts';
import { date, timeOfDay } from '../../app/format.ts';
import { get, queries } from '../../app/query.ts';
import { t } from '../../app/words.ts';
import { Tag } from '../../parts/badge.tsx';
import { CopyButton } from '../../parts/copy-button.tsx';

const path = '/webhook-deliveries';

export const refreshDeliveries = async (): Promise<void> => {
  await queries.invalidateQueries({ queryKey: [path] });
  await queries.invalidateQueries({ queryKey: [`${path}/{delivery_uuid}`] });
};

export const refreshEndpoints = async (): Promise<void> =>
  await queries.invalidateQueries({ queryKey: ['/webhook-endpoints'] });

/** The time of day, or the day of what is older than that. */
export function clockOf(at: string): string {
  const moment = new Date(at);
  return nowMs() - moment.getTime() < 86_400_000 ? timeOfDay(moment) : date(moment);
}

/** The same to the minute. */
export const sinceOf = (at: string): string => clockOf(at).replace(/^(\d+:\d+):\d+$/, '$1');

/** What came of a delivery, or when it is tried again. */
export function DeliveryBadge({
  of: { state, last_status_code: status, next_attempt_at: next, attempt_count: tries },
  isLong = false,
}: {
  of: Pick<WebhookDelivery, 'state' | 'last_status_code' | 'next_attempt_at' | 'attempt_count'>;
  /** Says at which attempt it arrived. */
  isLong?: boolean;
}) {
  switch (state) {
    case 'succeeded':
      return (
        <Tag is="ok" icon={CheckCircle2}>
          {isLong && tries > 1 ? t('webhooks.deliveredAt', { n: tries }) : t('webhooks.state.succeeded')}
        </Tag>
      );
    case 'pending':
      return (
        <Tag is="warn" icon={Clock}>
          {next === null ? t('webhooks.sending') : t('webhooks.nextTry', { at: clockOf(next) })}
        </Tag>
      );
    case 'dead_letter':
      return (
        <Tag is="bad" icon={OctagonAlert}>
          {status === null ? t('webhooks.state.dead_letter') : t('webhooks.refused', { status })}
        </Tag>
      );
  }
}

/** A request as text, to read and to copy. */
export function RequestText({
  of: { method, address, request_headers: headers },
  body,
}: {
  of: { method: string; address: string; request_headers: readonly { name: string; value: string }[] };
  body: string | null;
}) {
  const pretty = indented(body);
  const text = [
    `${method} ${address}`,
    ...headers.map(({ name, value }) => `${name}: ${value}`),
    ...(pretty === null ? [] : ['', pretty]),
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
    </section>
  );
}

function indented(body: string | null): string | null {
  if (body === null) return null;
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}

/** Names of agents by id. */
export function useAgentNames(): ReadonlyMap<number, string> {
  const { data } = useQuery(get('/workflow/fetch', {}));
  return useMemo(() => new Map((data ?? []).map(({ id, name }) => [id, name])), [data]);
}
