import type { CurrentUsage } from '../../../contract/usage.ts';
import { monthOf } from '../../../domain/usage/days.ts';
import type { ServiceContext } from '../../kernel/index.ts';
import { toCurrentUsage } from './mapper.ts';
import { selectCalls } from '../records/select.ts';
import { sumUsage } from './totals.ts';
import { zoneOf } from '../../identity/index.ts';

/** Usage of the current calendar month, in the organization's time zone (contract 15.2). */
export async function getCurrentUsage({ ctx }: { ctx: ServiceContext }): Promise<CurrentUsage> {
  const zone = await zoneOf(ctx);
  const period = monthOf({ now: ctx.clock.now(), zone });
  return toCurrentUsage({ period, zone, used: await sumUsage(selectCalls(ctx, period)) });
}
