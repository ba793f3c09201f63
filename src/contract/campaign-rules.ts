import { z } from 'zod';
import { exactRecord, isJsonObject, list, record } from './lax/collections.ts';
import { raiseAsGiven, raiseResolved } from './lax/fault.ts';
import { boolean, integer, number } from './lax/number.ts';
import { literal, text } from './lax/text.ts';

/** Contract 11.5; what is left out of the object has these values. */
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
    'When somebody who was not reached is called again. A campaign without one: once, after 120 s, not after a voicemail.',
});

const timePattern = String.raw`^\d{2}:\d{2}$`;

const Slot = record({
  day_of_week: integer({ ge: 0, le: 6 }).meta({ description: '0 = Monday.' }),
  start_time: text({ pattern: timePattern }),
  end_time: text({ pattern: timePattern }),
}).superRefine((slot, ctx) => {
  const fault = slotFault(slot);
  if (fault !== null)
    raiseAsGiven(ctx, { type: 'value_error', msg: `Value error, ${fault}`, ctx: { error: {} } });
});

/** What is wrong with the hours of a slot; null = nothing. `24:00` is the end of a day. */
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

/** Contract 11.5. Whether there is such a zone is looked up by the service. */
export const ScheduleConfig = record({
  enabled: boolean().default(true),
  timezone: text({ min: 1, max: 64 }).default('UTC').meta({ description: 'IANA name.' }),
  slots: list(Slot, { min: 1, max: 50 }),
}).meta({
  id: 'ScheduleConfig',
  description: 'Hours of the week in which the campaign dials; calls that go on are not ended.',
});

/** Contract 11.5. */
export const CircuitBreaker = record({
  enabled: boolean().default(true),
  failure_threshold: number({ ge: 0, le: 1 })
    .default(0.5)
    .meta({ description: 'Share of calls that failed.' }),
  window_seconds: integer({ ge: 30, le: 600 }).default(120),
  min_calls_in_window: integer({ ge: 1, le: 100 }).default(5),
}).meta({
  id: 'CircuitBreaker',
  description: 'When too many calls fail the campaign pauses, and its log says so.',
});

const waits = () => list(integer({ ge: 30, le: 2_592_000 }), { min: 1, max: 20 });

const plan = () =>
  exactRecord({
    waits_seconds: waits().meta({
      description:
        'Before the first further attempt, the second, and so on; the last counts for all after it.',
    }),
    max_retries: integer({ ge: 0, le: 20 }).meta({
      description: 'Further attempts after this outcome; 0 = none.',
    }),
    next_day: boolean().optional().meta({ description: 'Not before the next day of the person.' }),
    other_part_of_day: boolean()
      .optional()
      .meta({ description: 'In another part of the day than the last attempt.' }),
  })
    .optional()
    .meta({ description: 'What follows this outcome.' });

const faultPlan = () =>
  exactRecord({
    waits_seconds: waits().meta({
      description:
        'Before the first further dial, the second, and so on; the last counts for all after it. Up to a fifth is added at random.',
    }),
    max_retries: integer({ ge: 0, le: 20 }).meta({
      description:
        'Further dials of one row after such faults; 0 = none. After a call that somebody had answered, three at most.',
    }),
  })
    .optional()
    .meta({
      description:
        'What follows a fault of the carrier, the network or a media host. It spends no attempt where nobody answered.',
    });

/** Outcomes whose rule nobody changes, and why: for whoever tries. */
const fixedOutcomes: ReadonlyMap<string, string> = new Map(
  Object.entries({
    unknown:
      'nobody knows whether such a dial rang, and nobody is dialed blindly; POST /campaign/{id}/redial with outcomes decides that they are',
    callback: 'who asks for a call back is called once, at the time that was asked for',
    capacity: 'it waits for a line of the carrier for as long as there is none',
    own_fault: 'nobody was dialed; it is tried again for about a day',
    not_dialed: 'nobody was dialed; it is tried again when it may be',
    canceled: 'what a stop of all dialing hung up on is called again after the resume',
    suppressed: 'numbers on the suppression list are not dialed',
    opted_out: 'who asked not to be called again is not',
    wrong_number: 'nobody whom we look for is there',
    invalid_number: 'there is no such number',
  }),
);

/** A record of plans; an outcome that has none is refused with the reason. */
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
  integer({ ge: 1, le: 1000 }).nullish().meta({ description: 'Null = as many as there are.' });

/** Ours: the rules of a campaign beyond contract 11.5 (docs/campaigns.md). */
export const CampaignRules = exactRecord({
  window_zone: literal('campaign', 'contact')
    .optional()
    .meta({
      description: 'Whose time zone the hours of `schedule_config` are in.',
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
        'By outcome; in place of `retry_config`. Outcomes that are not here have a rule that cannot be changed (docs/campaigns.md).',
    }),
  max_attempts: integer({ ge: 1, le: 50 })
    .optional()
    .meta({ description: 'Attempts of one row, over all outcomes.' }),
  caps: exactRecord({ per_hour: cap(), per_day: cap(), per_week: cap() })
    .optional()
    .meta({ description: 'Dials of one number, over all campaigns of the organization.' }),
  starts_per_second: number({ gt: 0, le: 1000 }).optional().meta({
    description:
      'Dials that this campaign begins in a second; those of the organization have their own limit.',
  }),
  ramp: exactRecord({
    lines: integer({ ge: 1, le: 1000 }).meta({ description: 'At the start.' }),
    each_minute: integer({ ge: 1, le: 1000 }).meta({ description: 'So many more in every minute.' }),
  })
    .optional()
    .meta({ description: 'Lines grow slowly after the start.' }),
  weight: integer({ ge: 1, le: 100 })
    .optional()
    .meta({
      description: 'Share of the lines where campaigns run beside each other.',
      override: { default: 1 },
    }),
  from_phone_number_ids: list(integer(), { min: 1, max: 500 })
    .optional()
    .meta({ description: 'Numbers that are shown; without it every active one of the connection.' }),
  start_order: literal('file', 'priority', 'latest_first', 'closing_window')
    .optional()
    .meta({ description: 'Order of the first calls. Fixed at the start.', override: { default: 'file' } }),
  agent_version: literal('published', 'pinned')
    .optional()
    .meta({
      description:
        '`published`: each dial takes the version that is published then. `pinned`: the one that was at the start. Fixed at the start.',
      override: { default: 'published' },
    }),
  opt_out_tool: boolean()
    .optional()
    .meta({
      description:
        'At every node the agent can take somebody off the list of those who are called, also without a tool for it.',
      override: { default: true },
    }),
}).meta({
  id: 'CampaignRules',
  description:
    'Rules beside those of the published interface. What is left out has its usual value; a name that is not here is refused, at any depth.',
});
