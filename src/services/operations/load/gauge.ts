import type { DataSource } from 'typeorm';
import { readPoolState } from '../../../db/pool-state.ts';
import type { Metrics } from '../../../runtime/metrics.ts';
import { heldWaits, shownWaits } from './campaigns.ts';
import { liveCallStates, type Load } from './read.ts';

/** Publishes the load as metrics; null removes them, because outdated values would look healthy. */
export function gaugeLoad(metrics: Metrics, load: Load | null): void {
  for (const state of liveCallStates)
    metrics.gauge('parlance_calls_live', { live_state: state }, load?.liveCalls[state] ?? null);
  metrics.gauge('parlance_deliveries', { delivery_state: 'pending' }, load?.waitingDeliveries ?? null);
  metrics.gauge('parlance_deliveries', { delivery_state: 'dead_letter' }, load?.deadLetters ?? null);
  metrics.gauge('parlance_delivery_oldest_seconds', {}, load?.oldestDeliverySeconds ?? null);
  metrics.gauge('parlance_delivery_overdue_seconds', {}, load?.overdueDeliverySeconds ?? null);
  metrics.gauge('parlance_carrier_events_waiting', {}, load?.waitingEvents ?? null);
  metrics.gauge('parlance_carrier_event_oldest_seconds', {}, load?.oldestEventSeconds ?? null);
  for (const reason of shownWaits)
    metrics.gauge('parlance_campaigns', { wait_reason: reason }, load?.campaigns.campaigns[reason] ?? null);
  metrics.gauge('parlance_campaign_lines', {}, load?.campaigns.lines ?? null);
  metrics.gauge('parlance_campaign_overdue_seconds', {}, load?.campaigns.overdueSeconds ?? null);
  metrics.gauge('parlance_campaigns_idle', {}, load?.campaigns.idle ?? null);
  for (const reason of heldWaits)
    metrics.gauge('parlance_campaigns_held', { wait_reason: reason }, load?.campaigns.held[reason] ?? null);
  metrics.gauge('parlance_retention_age_seconds', {}, load?.retentionAgeSeconds ?? null);
}

/** Publishes the use of this process's database connections. */
export function gaugePool(metrics: Metrics, db: DataSource): void {
  const state = readPoolState(db);
  metrics.gauge('parlance_mysql_connections', { connection: 'idle' }, state?.idle ?? null);
  metrics.gauge('parlance_mysql_connections', { connection: 'used' }, state?.used ?? null);
  metrics.gauge('parlance_mysql_waiting', {}, state?.waiting ?? null);
}
