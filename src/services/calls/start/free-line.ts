import { In, type EntityManager } from 'typeorm';
import { countRows } from '../../../db/rows.ts';
import { calls } from '../../../db/tables/calls.ts';
import { LimitError } from '../../../domain/errors.ts';
import { lockOrganization, type ServiceContext } from '../../kernel/index.ts';
import { usualCallLimits, type CallLimits } from '../../telephony/index.ts';

const retryAfterMs = 5000;

interface WantedLine {
  /** Replaces the usual limits. */
  limits?: CallLimits | undefined;
  direction: 'inbound' | 'outbound';
}

/**
 * Whether the organization may have one more spoken call, by phone or in a browser. It locks the
 * organization's row, so that two calls never take the last line.
 */
export async function hasFreeLine(
  tx: EntityManager,
  { organizationId }: Pick<ServiceContext, 'organizationId'>,
  { limits = usualCallLimits, direction }: WantedLine,
): Promise<boolean> {
  await lockOrganization(tx, { organizationId });
  const live = await countRows(tx, calls, {
    organizationId,
    channel: In(['phone', 'web']),
    state: In(['pending', 'admitted', 'talking', 'ending']),
  });
  return live < (direction === 'inbound' ? limits.calls + limits.inboundShare : limits.calls);
}

/** Throws LimitError (429) when the organization has as many calls as it may have. */
export async function requireFreeLine(
  tx: EntityManager,
  ctx: Pick<ServiceContext, 'organizationId'>,
  wanted: WantedLine,
): Promise<void> {
  if (!(await hasFreeLine(tx, ctx, wanted)))
    throw new LimitError('Concurrent call limit reached', { retryAfterMs });
}
