import { findRows, type Db } from '../../../db/rows.ts';
import { carrierEvents, type CarrierEventRow } from '../../../db/tables/carrier-events.ts';
import { callStatus } from '../../../domain/telephony/call-status.ts';
import { isObject, ownObject, ownText } from '../../../domain/graph/definition.ts';

/** `logs.telephony_status_callbacks` of a call by phone (contract 6.7): what its carrier has told so far. */
export async function statusCallbacks(
  db: Db,
  call: { callId: number; organizationId: number },
): Promise<Record<string, unknown>[]> {
  const received = await findRows(db, carrierEvents, call, { order: { occurredAt: 'ASC', id: 'ASC' } });
  return received.flatMap((event) => callbackOf(event));
}

/** Events that do not change the call's status are left out. */
function callbackOf({ eventType, occurredAt, raw }: CarrierEventRow): Record<string, unknown>[] {
  const payload = raw === null ? {} : ownObject(ownObject(raw, 'data'), 'payload');
  const status = callStatus(eventType, ownText(payload, 'hangup_cause') ?? null);
  if (status === null) return [];
  const data: unknown = raw?.['data'];
  return [
    {
      ...(isObject(data) ? data : {}),
      status,
      timestamp: occurredAt.toISOString(),
      call_id: ownText(payload, 'call_control_id') ?? null,
      duration: null,
    },
  ];
}
