import { z } from 'zod';
import { exactRecord, isJsonObject, list, record } from './lax/collections.ts';
import { raiseAsGiven, raiseResolved } from './lax/fault.ts';
import { boolean, integer, number } from './lax/number.ts';
import { literal, text } from './lax/text.ts';
import { zoneName } from './lax/zone.ts';

/** Contract 11.5, with the defaults of absent fields. */
export const RetryConfig = record({
  enabled: boolean().default(true),
  max_retries: integer({ ge: 0, le: 10 }).default(2),
  retry_delay_seconds: integer({ ge: 30, le: 3600 }).default(120),
  retry_on_busy: boolean().default(true),
  retry_on_no_answer: boolean().default(true),
  retry_on_voicemail: boolean().default(true),
}).meta({
  id: 'RetryConfig',
  description:
    'When contacts who were not reached are called again. Without this object: once, after 120 s, and not after voicemail.',
});

const timePattern = String.raw`^\d{2}:\d{2}$`;

const Slot = record({
  day_of_week: integer({ ge: 0, le: 6 }).meta({ description: 'Day of the week. 0 is Monday.' }),
  start_time: text({ pattern: timePattern }),
  end_time: text({ pattern: timePattern }),
}).superRefine((slot, ctx) => {
  const fault = slotFault(slot);
  if (fault !== null)
    raiseAsGiven(ctx, { type: 'value_error', msg: `Value error, ${fault}`, ctx: { error: {} } });
});

/** The fault of a slot's hours, or null. `24:00` is the end of a day. */
function slotFault({
  start_time: start,
  end_time: end,
}: {
  start_time: string;
  end_time: string;
}): string | null {
  if (!/^(?:[01]\d|2[0-3]):[0-5]\d$/.test(start)) return 'start_time must be a time of day';
  if (!/^(?:(?:[01]\d|2[0-3]):[0-5]\d|24:00)$/.test(end)) return 'end_time must be a time of day';
  return start < end ? null : 'start_time must be before end_time; a slot does not cross midnight';
}

/** Contract 11.5. */
export const ScheduleConfig = record({
  enabled: boolean().default(true),
  timezone: zoneName({ min: 1 })
    .default('UTC')
    .meta({ description: 'IANA name of the time zone. Default `UTC`.' }),
  slots: list(Slot, { min: 1, max: 50 }),
}).meta({
  id: 'ScheduleConfig',
  description: 'Hours of the week in which the campaign dials. The end of a slot does not end live calls.',
});

/** Contract 11.5. */
export const CircuitBreaker = record({
  enabled: boolean().default(true),
  failure_threshold: number({ ge: 0, le: 1 })
    .default(0.5)
    .meta({ description: 'Share of failed calls at which the campaign pauses. Default 0.5.' }),
  window_seconds: integer({ ge: 30, le: 600 }).default(120),
  min_calls_in_window: integer({ ge: 1, le: 100 }).default(5),
}).meta({
  id: 'CircuitBreaker',
  description: 'When the campaign pauses because too many calls fail. Its log has an entry for each pause.',
});

const waits = () => list(integer({ ge: 30, le: 2_592_000 }), { min: 1, max: 20 });

const plan = () =>
  exactRecord({
    waits_seconds: waits().meta({
      description:
        'Seconds before the first further attempt, the second, and so on. The last value applies to all later attempts.',
    }),
    max_retries: integer({ ge: 0, le: 20 }).meta({
      description: 'Maximum number of further attempts after this outcome. 0 means none.',
    }),
    next_day: boolean().optional().meta({ description: "Whether to wait until the contact's next day." }),
    other_part_of_day: boolean()
      .optional()
      .meta({ description: 'Whether to call in a different part of the day than the last attempt.' }),
  })
    .optional()
    .meta({ description: 'Further attempts after this outcome.' });

const faultPlan = () =>
  exactRecord({
    waits_seconds: waits().meta({
      description:
        'Seconds before the first further dial, the second, and so on. The last value applies to all later dials. Up to 20 % is added at random.',
    }),
    max_retries: integer({ ge: 0, le: 20 }).meta({
      description:
        'Maximum number of further dials of a row after such faults. 0 means none. At most three after an answered call.',
    }),
  })
    .optional()
    .meta({
      description:
        'Further dials after a fault of the carrier, the network or a media host. A fault spends no attempt if the call was not answered.',
    });

/** Outcomes whose rule cannot be changed, with the reason for the error text. */
const fixedOutcomes: ReadonlyMap<string, string> = new Map(
  Object.entries({
    unknown:
      'such a dial may have rung, so it is not repeated automatically; POST /campaign/{id}/redial with outcomes repeats it',
    callback: 'a requested callback is made once, at the requested time',
    capacity: 'the row waits until the carrier has a free line',
    own_fault: 'nothing was dialed; the service retries for about a day',
    not_dialed: 'nothing was dialed; the row is dialed when dialing is allowed again',
    canceled: 'calls that a stop of all dialing hung up are repeated after the resume',
    suppressed: 'suppressed numbers are not dialed',
    not_allowed: 'the dial policy of the organization does not allow the number',
    opted_out: 'contacts who opted out are not called again',
    wrong_number: 'the contact cannot be reached at this number',
    invalid_number: 'the number does not exist',
  }),
);

/** A record of plans. Refuses an outcome that follows no plan, with the reason. */
function plans<Shape extends z.ZodType>(shape: Shape) {
  return z.preprocess((given, ctx) => {
    for (const [outcome, input] of isJsonObject(given) ? Object.entries(given) : []) {
      const why = fixedOutcomes.get(outcome);
      if (why !== undefined)
        raiseResolved(
          ctx,
          {
            type: 'value_error',
            msg: `Value error, ${outcome} follows no plan: ${why}`,
            input,
            ctx: { error: {} },
          },
          [outcome],
        );
    }
    return given;
  }, shape);
}

const cap = () =>
  integer({ ge: 1, le: 1000 })
    .nullish()
    .meta({ description: 'Maximum number of dials. Null means no limit.' });

/** The rules of a campaign beyond contract 11.5 (docs/campaigns.md). An addition to the interface. */
export const CampaignRules = exactRecord({
  window_zone: literal('campaign', 'contact')
    .optional()
    .meta({
      description:
        "Time zone of the hours in `schedule_config`: the campaign's or each contact's. Default `campaign`.",
      override: { default: 'campaign' },
    }),
  retry_plan: plans(
    exactRecord({
      no_answer: plan(),
      busy: plan(),
      declined: plan(),
      voicemail: plan(),
      voicemail_message: plan(),
      short_answer: plan(),
      reached: plan(),
      provider: faultPlan(),
    }),
  )
    .optional()
    .meta({
      description:
        'Further attempts by outcome. Replaces `retry_config`. The rules of all other outcomes cannot be changed (docs/campaigns.md).',
    }),
  max_attempts: integer({ ge: 1, le: 50 })
    .optional()
    .meta({ description: 'Maximum number of attempts of a row, over all outcomes.' }),
  caps: exactRecord({ per_hour: cap(), per_day: cap(), per_week: cap() })
    .optional()
    .meta({ description: 'Maximum dials of one number, over all campaigns of the organization.' }),
  starts_per_second: number({ gt: 0, le: 1000 }).optional().meta({
    description: 'Maximum dials per second of this campaign. The organization has a limit of its own.',
  }),
  ramp: exactRecord({
    lines: integer({ ge: 1, le: 1000 }).meta({ description: 'Lines at the start.' }),
    each_minute: integer({ ge: 1, le: 1000 }).meta({ description: 'Lines added every minute.' }),
  })
    .optional()
    .meta({ description: 'Slow growth of the lines after the start.' }),
  weight: integer({ ge: 1, le: 100 })
    .optional()
    .meta({
      description: 'Share of the lines relative to other running campaigns. Default 1.',
      override: { default: 1 },
    }),
  from_phone_number_ids: list(integer(), { min: 1, max: 500 }).optional().meta({
    description: 'Ids of the phone numbers to show. Default: all active numbers of the connection.',
  }),
  start_order: literal('file', 'priority', 'latest_first', 'closing_window')
    .optional()
    .meta({
      description: 'Order of the first calls. Cannot be changed after the start. Default `file`.',
      override: { default: 'file' },
    }),
  agent_version: literal('published', 'pinned')
    .optional()
    .meta({
      description:
        '`published`: each call uses the version that is published at its dial. `pinned`: all calls use the version that was published at the start. Cannot be changed after the start. Default `published`.',
      override: { default: 'published' },
    }),
  skip_recently_called: integer({ ge: 1, le: 365 }).optional().meta({
    description:
      'Contacts whose number another campaign of the organization has called within these days are not called. A redial does not count its parent. Default: they are called.',
  }),
  opt_out_tool: boolean()
    .optional()
    .meta({
      description:
        'Whether the agent can suppress the number at every node if the contact opts out, even without a tool. Default true.',
      override: { default: true },
    }),
}).meta({
  id: 'CampaignRules',
  description:
    'Further rules of a campaign. Absent fields have their defaults. Unknown fields are refused at any depth.',
});
