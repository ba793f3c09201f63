import { inTransaction } from '../../src/db/transaction.ts';
import type { CarrierPort } from '../../src/providers/carrier/port.ts';
import { createCarrierRegistry } from '../../src/providers/carrier/registry.ts';
import { redeliverEvents, storeEvent } from '../../src/services/telephony/index.ts';
import type { CarrierBench } from './carrier-bench.ts';
import type { VoiceCall, VoiceWorld } from './voice-world.ts';

/** The bench as the carrier of a call: each of its dials rings `number`, whomever the call is for. */
export function benchDialing(bench: CarrierBench, number: string): CarrierPort {
  const { carrier, connectionId } = bench;
  return {
    ...carrier,
    dial: (request) =>
      bench.dial(number, {
        ...request,
        connectionId,
        from: '+15550001111',
        to: number,
        webhookUrl: bench.hookUrl('events'),
      }),
  };
}

/** The bench's events of one call, as the API stores them and the workers deliver them. */
export function benchEvents({ base, starter }: VoiceWorld, bench: CarrierBench) {
  const deps = {
    ...base.ctx,
    calls: starter,
    webhooks: createCarrierRegistry().webhooks,
    accounts: () => bench.carrier,
  };
  return {
    /** Stores what the carrier has sent so far. */
    store: async ({ callId, input: { organizationId } }: VoiceCall): Promise<void> => {
      for (const { message, raw } of bench.hooks)
        if (message !== null)
          await inTransaction(base.ctx.db, (tx) =>
            storeEvent(tx, deps, { organizationId, callId, message, raw }),
          );
    },
    /** Delivers what is stored and due by then. */
    redeliver: async (afterMs: number) =>
      await redeliverEvents(
        { ...deps, clock: { now: () => new Date(Date.now() + afterMs) } },
        new AbortController().signal,
      ),
  };
}
