import { z } from 'zod';
import type { CallerLimits } from '../domain/request-limits.ts';

const form = /^(reads|writes|calls)=(\d{1,9})$/;

/** A list such as `reads=3000,writes=1200,calls=300`. Absent groups keep their defaults. */
export function callerLimits(defaults: string) {
  return z
    .string()
    .default(defaults)
    .transform((text, ctx): CallerLimits => {
      const limits = { reads: 0, writes: 0, calls: 0 };
      for (const part of [...defaults.split(','), ...text.split(',')]
        .map((each) => each.trim())
        .filter((each) => each !== '')) {
        const [, group, max] = form.exec(part) ?? [];
        if ((group === 'reads' || group === 'writes' || group === 'calls') && Number(max) > 0)
          limits[group] = Number(max);
        else ctx.addIssue(`must be a list such as ${defaults}, each at least 1`);
      }
      return limits;
    });
}
