import { pino } from 'pino';
import { apiKeys } from '../../../src/db/tables/api-keys.ts';
import { deliveries, type DeliveryRow } from '../../../src/db/tables/deliveries.ts';
import { organizations } from '../../../src/db/tables/organizations.ts';
import { createGuardedClient } from '../../../src/providers/http/guarded-client.ts';
import { signWebhook } from '../../../src/providers/http/webhook-signer.ts';
import { createSecretBox } from '../../../src/providers/secrets/aes-gcm.ts';
import { systemClock } from '../../../src/runtime/clock.ts';
import { randomIds } from '../../../src/runtime/ids.ts';
import type { ServiceContext } from '../../../src/services/kernel/context.ts';
import { bodyOf, buildRequest } from '../../../src/services/webhooks/deliveries/request.ts';
import { liveWebhookSecrets } from '../../../src/services/identity/index.ts';
import { insertDelivery, insertEndedCall } from '../../../test/support/delivery-rows.ts';
import { until } from '../../../test/support/until.ts';
import { concurrently } from '../concurrency.ts';
import { figure, type Section } from '../report.ts';
import type { ScenarioOptions } from '../scenario.ts';
import type { MeasuredService } from '../service.ts';

/** Concurrent requests of the second baseline. */
const width = 16;

/**
 * Measures how many webhooks a second the service delivers, compared with a loop that sends the same
 * requests.
 */
export async function measureDeliveries({ service, isQuick, print }: ScenarioOptions): Promise<Section> {
  const count = isQuick ? 500 : 3000;
  const ctx = await contextOf(service);
  await deliver(service, await prepare(service, ctx, Math.ceil(count / 10)));
  const rows = await prepare(service, ctx, count);
  print(`deliveries: a plain loop of ${count}`);
  const alone = await plainLoop(service, ctx, rows, 1);
  const together = await plainLoop(service, ctx, rows, width);
  print(`deliveries: ${count} by the service`);
  const durable = await deliver(service, await prepare(service, ctx, count));
  return section({ count, alone, together, durable });
}

/** The context of the seeded organization. */
async function contextOf({ db, env }: MeasuredService): Promise<ServiceContext> {
  const { id: organizationId } = await db.getRepository(organizations).findOneByOrFail({});
  const { id: apiKeyId, userId } = await db.getRepository(apiKeys).findOneByOrFail({ organizationId });
  return {
    organizationId,
    actor: { kind: 'api_key', apiKeyId, userId, scopes: null },
    db,
    clock: systemClock,
    ids: randomIds,
    log: pino({ level: 'silent' }),
    secrets: createSecretBox(env['PARLANCE_ENCRYPTION_KEYS'] ?? ''),
  };
}

/** This many calls of one agent, each with one webhook to the same endpoint. */
async function prepare(
  { receiver }: MeasuredService,
  ctx: ServiceContext,
  count: number,
): Promise<DeliveryRow[]> {
  const { agentId } = await insertEndedCall(ctx);
  const body = JSON.stringify({
    call_disposition: 'user_qualified',
    transcript_url: 'https://example.test/transcript',
    note: 'x'.repeat(500),
  });
  return await concurrently({ count, width: 8 }, async () => {
    const { callId } = await insertEndedCall(ctx);
    return await insertDelivery(
      ctx,
      { callId, agentId },
      { url: receiver.url, nodeId: 'webhook', body, createdAt: systemClock.now() },
    );
  });
}

/**
 * Deliveries per second: from their hand-over to the pump, all at once, until every one is recorded as delivered.
 */
async function deliver({ receiver, db }: MeasuredService, rows: readonly DeliveryRow[]): Promise<number> {
  receiver.forget();
  const begun = performance.now();
  const agentId = rows[0]?.agentId ?? 0;
  await db.getRepository(deliveries).update({ agentId }, { pumpAt: systemClock.now() });
  await until(
    'the end of every delivery',
    async () =>
      receiver.arrivedAt.size >= rows.length &&
      (await db.getRepository(deliveries).countBy({ agentId, state: 'succeeded' })) === rows.length,
    300_000,
  );
  return perSecond(rows.length, begun);
}

/** Requests per second, signed and sent by the service's client, without records and retries. */
async function plainLoop(
  { receiver, env }: MeasuredService,
  { db, organizationId, clock }: ServiceContext,
  rows: readonly DeliveryRow[],
  width: number,
): Promise<number> {
  receiver.forget();
  const secrets = await liveWebhookSecrets({
    db,
    secrets: createSecretBox(env['PARLANCE_ENCRYPTION_KEYS'] ?? ''),
    organizationId,
  });
  const http = createGuardedClient({ allowHttp: true, allowedPrivateHosts: ['127.0.0.1:*'] });
  const begun = performance.now();
  try {
    await concurrently({ count: rows.length, width }, async (index) => {
      const row = rows[index];
      if (row === undefined) throw new Error('There are fewer deliveries than requests');
      const at = clock.now();
      const signature = signWebhook({ id: row.uuid, at, body: bodyOf(row) ?? '', secrets });
      const request = buildRequest({
        ...row,
        deliveryUuid: row.uuid,
        attempt: 1,
        customHeaders: row.headers,
        credentialHeaders: {},
        at,
        signature,
      });
      const answer = await http.request({ ...request, timeoutMs: 20_000, maxResponseBytes: 8192 });
      if (answer.kind !== 'answered' || answer.statusCode !== 204)
        throw new Error(`The receiver did not accept a plain request: ${answer.kind}`);
    });
    return perSecond(rows.length, begun);
  } finally {
    await http.close();
  }
}

function perSecond(count: number, begun: number): number {
  return (count * 1000) / (performance.now() - begun);
}

function section({
  count,
  alone,
  together,
  durable,
}: {
  count: number;
  alone: number;
  together: number;
  durable: number;
}): Section {
  const row = (name: string, rate: number) => [name, figure(rate), `${figure(alone / rate)} ×`];
  return {
    id: 'deliveries',
    title: 'Webhook deliveries a second',
    method: [
      `${count} prepared deliveries of about 600 bytes to one receiver on the same machine that answers 204 at once. They are handed to the pump at once, by one statement, and the measurement ends when the last one is recorded as delivered in MySQL. The pump looks for them twice a second and sends at most 50 to one node at a time. Each is one signature, one request and a share of two transactions.`,
      'The baseline signs the same bytes and sends them with the same guarded client, in this one process, without records and without retries.',
    ],
    tables: [
      {
        columns: ['', 'A second', 'Cost of one, against the loop'],
        rows: [
          row('Plain loop, one after the other', alone),
          row(`Plain, ${width} at a time`, together),
          row('The service, durable', durable),
        ],
      },
    ],
    targets: [],
  };
}
