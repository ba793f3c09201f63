import { isZone } from '../data/zones.ts';
import { raise } from './fault.ts';
import { text, type TextRules } from './text.ts';

/** The IANA name of a time zone. An unknown one is a `value_error`. */
export const zoneName = (rules: Pick<TextRules, 'min'> = {}) =>
  text({ ...rules, max: 64 }).superRefine((zone, ctx) => {
    if (!isZone(zone))
      raise(ctx, {
        type: 'value_error',
        msg: 'Value error, the time zone is not known',
        input: zone,
        ctx: { error: {} },
      });
  });
