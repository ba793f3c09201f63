import { In, MoreThan, Not, type EntityManager } from 'typeorm';
import { findRows } from '../../../db/rows.ts';
import { numberDials } from '../../../db/tables/number-dials.ts';
import { maxCapMs, type Caps } from '../../../domain/campaign/caps.ts';

/** Timestamps of dials, by number. */
export type Dials = Map<string, Date[]>;

export interface WhoseDials {
  organizationId: number;
  phones: readonly string[];
  caps: Caps;
  now: Date;
  /** A call whose own dial does not count. */
  exceptCallId?: number;
}

/**
 * When each number was dialed by any campaign, as far back as caps reach. A claimed row that does not ring
 * yet counts from its claim.
 */
export async function readDials(
  tx: EntityManager,
  { organizationId, phones, caps, now, exceptCallId }: WhoseDials,
): Promise<Dials> {
  const dials: Dials = new Map();
  const isAny = caps.perHour !== null || caps.perDay !== null || caps.perWeek !== null;
  if (!isAny || phones.length === 0) return dials;
  const where = {
    organizationId,
    phone: In([...phones]),
    dialedAt: MoreThan(new Date(now.getTime() - maxCapMs)),
    ...(exceptCallId === undefined ? {} : { callId: Not(exceptCallId) }),
  };
  const rows = await findRows(tx, numberDials, where, { select: ['phone', 'dialedAt'] });
  for (const { phone, dialedAt } of rows) dials.set(phone, [...(dials.get(phone) ?? []), dialedAt]);
  return dials;
}
