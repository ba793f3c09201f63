import { z } from 'zod';
import { DateTime, IdempotencyHeaders } from './common.ts';
import { list, record } from './lax/collections.ts';
import { raiseAsGiven } from './lax/fault.ts';
import { boolean, integer, number } from './lax/number.ts';
import { literal, text } from './lax/text.ts';
import { route } from './route.ts';

const time = () => text({ pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$' });
const host = String.raw`^(?:[A-Za-z0-9](?:[A-Za-z0-9.\-]*[A-Za-z0-9])?|\[[0-9A-Fa-f:.]+\])$`;
const max = () => integer({ ge: 1, le: 1000 }).nullish();

/** Like the slots of a campaign's `schedule_config` (contract 11.5). */
const Slot = record({
  day_of_week: integer({ ge: 0, le: 6 }).meta({ description: 'Day of the week. 0 is Monday.' }),
  start_time: time(),
  end_time: time(),
}).superRefine(({ start_time, end_time }, ctx) => {
  if (start_time >= end_time)
    raiseAsGiven(ctx, {
      type: 'value_error',
      msg: 'Value error, start_time must be before end_time',
      ctx: { error: {} },
    });
});

/** An addition to the published interface. */
export const DialPolicyRequest = record({
  reserved_lines: integer({ ge: 0, le: 1000 }).nullish().meta({
    description:
      'Lines that campaigns leave free for incoming calls and calls started by requests. Absent or null means none.',
  }),
  starts_per_second: number({ ge: 0.01, le: 100 })
    .nullish()
    .meta({ description: 'Maximum dials per second of all campaigns together. Absent or null means 1.' }),
  caps: record({ per_hour: max(), per_day: max(), per_week: max() }).nullish().meta({
    description:
      "Maximum dials of one number by all campaigns together. Absent or null means that only each campaign's own caps apply.",
  }),
  window: record({ slots: list(Slot, { min: 1, max: 50 }) })
    .nullish()
    .meta({
      description:
        "Hours in which campaigns may dial, in the contact's time zone. Absent or null means that only each campaign's own hours apply.",
    }),
  allowed_countries: list(text({ pattern: '^[A-Z]{2}$' }), { min: 1, max: 300 })
    .nullish()
    .meta({
      description:
        'Countries whose numbers may be dialed in any way, as ISO 3166-1 codes such as `DE`. Absent or null means all.',
    }),
  allow_special_numbers: boolean().nullish().meta({
    description:
      'Whether premium-rate, shared-cost and other special numbers may be dialed in any way. Emergency numbers never are. Absent or null means false.',
  }),
  allowed_sip_hosts: list(text({ pattern: host, max: 253 }), { min: 1, max: 100 })
    .nullish()
    .meta({
      description:
        'Hosts of `sip:` addresses to which calls may be transferred, without a port. Absent or null means none.',
    }),
  max_calls_per_day: integer({ ge: 1, le: 10_000_000 }).nullish().meta({
    description:
      "Maximum dials per day in the organization's time zone, in any way, transfers included. Absent or null means the default of the installation.",
  }),
  max_call_minutes_per_day: integer({ ge: 1, le: 10_000_000 }).nullish().meta({
    description:
      'Maximum minutes of spoken calls per day. When ended calls have reached it, nothing more is dialed that day. Absent or null means the default of the installation.',
  }),
}).meta({ id: 'DialPolicyRequest', description: 'The whole dial policy. Absent fields have their default.' });
export type DialPolicyRequest = z.output<typeof DialPolicyRequest>;

export const DialPolicyAnswer = z
  .object({
    reserved_lines: z.int().nullable(),
    starts_per_second: z.number().nullable(),
    caps: z
      .object({ per_hour: z.int().nullable(), per_day: z.int().nullable(), per_week: z.int().nullable() })
      .nullable(),
    window: z
      .object({
        slots: z.array(z.object({ day_of_week: z.int(), start_time: z.string(), end_time: z.string() })),
      })
      .nullable(),
    allowed_countries: z.array(z.string()).nullable(),
    allow_special_numbers: z.boolean(),
    allowed_sip_hosts: z.array(z.string()).nullable(),
    max_calls_per_day: z.int().nullable(),
    max_call_minutes_per_day: z.int().nullable(),
    updated_at: DateTime.nullable().meta({
      description: 'When the policy was last changed. Null if none was ever set.',
    }),
  })
  .meta({
    id: 'DialPolicy',
    description: 'What the organization lets be dialed: in any way, and by all its campaigns together.',
  });
export type DialPolicyAnswer = z.infer<typeof DialPolicyAnswer>;

export const DialingSwitch = z
  .object({
    is_stopped: z
      .boolean()
      .meta({ description: 'Whether dialing is stopped for all campaigns of the organization.' }),
    stopped_at: DateTime.nullable().meta({
      description: 'When the organization stopped dialing. Null if it did not.',
    }),
    stopped_by: z
      .int()
      .nullable()
      .meta({ description: 'Id of the user who stopped dialing. Null if none did.' }),
    operator_stopped_at: DateTime.nullable().meta({
      description:
        'When the operator of the installation stopped dialing. Only the operator can resume it. Null if the operator did not.',
    }),
  })
  .meta({ id: 'DialingSwitch', description: 'The dialing switch: whether campaigns may dial now.' });
export type DialingSwitch = z.infer<typeof DialingSwitch>;

const hangUps = ['none', 'unanswered', 'all'] as const;

export const StopDialingRequest = record({
  hang_up: literal(...hangUps)
    .default('none')
    .meta({
      description:
        'What happens to live calls of campaigns: `none` lets them continue, `unanswered` hangs up calls that are not answered yet, `all` hangs up all. Contacts whose call was hung up before it was answered are called again after the resume. Default `none`.',
    }),
}).meta({ id: 'StopDialingRequest', description: 'What happens to live calls.' });

export const StoppedDialing = z
  .object({
    ...DialingSwitch.shape,
    hung_up: z.int().meta({ description: 'Number of calls that are being hung up.' }),
  })
  .meta({ id: 'StoppedDialing', description: 'The dialing switch after a stop.' });
export type StoppedDialing = z.infer<typeof StoppedDialing>;

const tag = 'Dialing';

export const getDialPolicy = route({
  method: 'get',
  path: '/organizations/dial-policy',
  id: 'getDialPolicy',
  tag,
  auth: 'key',
  scope: 'read',
  summary: 'Get the dial policy',
  description:
    'Returns what the organization lets be dialed: in any way, and by all its campaigns together (docs/telephony.md).',
  answers: { 200: { description: 'The policy.', schema: DialPolicyAnswer } },
});

export const setDialPolicy = route({
  method: 'put',
  path: '/organizations/dial-policy',
  id: 'setDialPolicy',
  tag,
  auth: 'key',
  scope: 'admin',
  summary: 'Set the dial policy',
  description: 'Replaces the whole policy. Running campaigns follow it within seconds.',
  body: DialPolicyRequest,
  answers: { 200: { description: 'The new policy.', schema: DialPolicyAnswer } },
});

export const getDialing = route({
  method: 'get',
  path: '/organizations/dialing',
  id: 'getDialing',
  tag,
  auth: 'key',
  scope: 'read',
  summary: 'Get the dialing switch',
  description: 'Returns whether campaigns may dial, and who stopped them.',
  answers: { 200: { description: 'The switch.', schema: DialingSwitch } },
});

export const stopDialing = route({
  method: 'post',
  path: '/organizations/dialing/stop',
  id: 'stopDialing',
  tag,
  auth: 'key',
  scope: 'dialing:stop',
  summary: 'Stop dialing',
  description:
    'Within 5 seconds all campaigns of the organization stop dialing, until `…/resume`. Their states do not change. A repeated stop keeps the first `stopped_at`.',
  headers: IdempotencyHeaders,
  body: StopDialingRequest,
  answers: { 200: { description: 'The switch.', schema: StoppedDialing } },
});

export const resumeDialing = route({
  method: 'post',
  path: '/organizations/dialing/resume',
  id: 'resumeDialing',
  tag,
  auth: 'key',
  scope: 'admin',
  summary: 'Resume dialing',
  description:
    'Running campaigns continue where they stopped. A stop by the operator of the installation remains in force.',
  headers: IdempotencyHeaders,
  answers: { 200: { description: 'The switch.', schema: DialingSwitch } },
});
