import { z } from 'zod';
import { CarrierError } from '../../../domain/telephony/carrier-error.ts';
import { encodeClientState } from './client-state.ts';
import { ControlId, LegId } from './fields.ts';
import { unreadableAnswer } from './failures.ts';
import type { DialedLeg, LegStatus } from '../port.ts';
import type { Send } from './send.ts';

const StatusAnswer = z.object({
  data: z.object({
    is_alive: z.boolean(),
    end_time: z.iso.datetime({ offset: true }).nullish().catch(null),
  }),
});

/** The state of a leg at the carrier; null if the carrier does not know it. */
export async function legStatus(send: Send, callControlId: string): Promise<LegStatus | null> {
  try {
    const parsed = StatusAnswer.safeParse(
      await send((client, options) => client.calls.retrieveStatus(callControlId, options), { isLeg: true }),
    );
    if (!parsed.success) throw unreadableAnswer();
    const { is_alive: isAlive, end_time: endTime } = parsed.data.data;
    return isAlive || endTime === null || endTime === undefined
      ? { isAlive }
      : { isAlive, endedAt: new Date(endTime).toISOString() };
  } catch (error) {
    if (error instanceof CarrierError && error.outcome === 'bad_leg') return null;
    if (error instanceof CarrierError && error.outcome === 'ended') return { isAlive: false };
    throw error;
  }
}

const ActiveCall = z.object({
  call_control_id: ControlId,
  call_leg_id: LegId,
  call_session_id: LegId,
  client_state: z.string().nullish(),
});
const ActiveCalls = z.object({
  data: z.array(ActiveCall),
  meta: z
    .object({ cursors: z.object({ after: z.string().nullish() }).nullish(), next: z.string().nullish() })
    .nullish(),
});

const pageSize = 250;
/**
 * An account with more live calls has another problem. The search then ends with an `unknown` error, never
 * with the answer that there is no such leg.
 */
const maxPages = 40;

/**
 * Searches the live calls of an application for our reference. Follows the cursors of the pages itself,
 * because the SDK expects numbered pages and stops after the first.
 */
export async function findLeg(
  send: Send,
  { connectionId, clientState }: { connectionId: string; clientState: string },
): Promise<DialedLeg | null> {
  const wanted = encodeClientState(clientState);
  let after: string | null = null;
  for (let page = 0; page < maxPages; page += 1) {
    const query: Record<string, string | number> = {
      'page[limit]': pageSize,
      ...(after === null ? {} : { 'page[after]': after }),
    };
    const parsed = ActiveCalls.safeParse(
      await send((client, options) =>
        client.get(`/connections/${encodeURIComponent(connectionId)}/active_calls`, { query, ...options }),
      ),
    );
    if (!parsed.success) throw unreadableAnswer();
    const found = parsed.data.data.find((each) => each.client_state === wanted);
    if (found !== undefined)
      return {
        callControlId: found.call_control_id,
        legId: found.call_leg_id,
        sessionId: found.call_session_id,
      };
    const next: string | null | undefined =
      parsed.data.meta?.next === null ? null : parsed.data.meta?.cursors?.after;
    if (next === null || next === undefined || next === after || parsed.data.data.length === 0) return null;
    after = next;
  }
  throw new CarrierError(`The carrier lists more than ${maxPages * pageSize} live calls`, {
    outcome: 'unknown',
    reason: 'other',
  });
}
