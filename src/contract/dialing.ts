import { z } from 'zod';
import { DateTime, IdempotencyHeaders } from './common.ts';
import { list, record } from './lax/collections.ts';
import { raiseAsGiven } from './lax/fault.ts';
import { integer, number } from './lax/number.ts';
import { literal, text } from './lax/text.ts';
import { route } from './route.ts';

const time = () => text({ pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$' });
const max = () => integer({ ge: 1, le: 1000 }).nullish();

/** Like those of a campaign's schedule (contract 11.5). */
const Slot = record({
  day_of_week: integer({ ge: 0, le: 6 }).meta({ description: '0 = Monday.' }),
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

/** Ours: the interface has no place for it. */
export const DialPolicyRequest = record({
  reserved_lines: integer({ ge: 0, le: 1000 }).nullish().meta({
    description:
      'Lines that campaigns leave to incoming calls and to calls that requests start; absent or null: none.',
  }),
  starts_per_second: number({ ge: 0.01, le: 100 })
    .nullish()
    .meta({ description: 'Calls that all campaigns together begin in a second; absent or null: 1.' }),
  caps: record({ per_hour: max(), per_day: max(), per_week: max() }).nullish().meta({
    description:
      "How often campaigns dial one number at most, all of them together; absent or null: as often as each one's own rules say.",
  }),
  window: record({ slots: list(Slot, { min: 1, max: 50 }) })
    .nullish()
    .meta({
      description:
        'Hours in which campaigns dial people, by the clock of whom they call; absent or null: those of each campaign.',
    }),
}).meta({ id: 'DialPolicyRequest', description: 'The whole policy: what is left out is not limited.' });
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
    updated_at: DateTime.nullable().meta({ description: 'Null: there was never a policy.' }),
  })
  .meta({
    id: 'DialPolicy',
    description:
      'What the organization allows its campaigns, all of them together; null: no limit of its own.',
  });
export type DialPolicyAnswer = z.infer<typeof DialPolicyAnswer>;

export const DialingSwitch = z
  .object({
    is_stopped: z.boolean().meta({ description: 'No campaign of the organization dials anybody.' }),
    stopped_at: DateTime.nullable().meta({
      description: 'When the organization stopped it; null = it did not.',
    }),
    stopped_by: z.int().nullable().meta({ description: 'Id of the user who did.' }),
    operator_stopped_at: DateTime.nullable().meta({
      description:
        'When the operator of the installation stopped it, who alone can let it go on; null = nobody did.',
    }),
  })
  .meta({ id: 'DialingSwitch', description: 'Whether campaigns may dial now.' });
export type DialingSwitch = z.infer<typeof DialingSwitch>;

const hangUps = ['none', 'unanswered', 'all'] as const;

export const StopDialingRequest = record({
  hang_up: literal(...hangUps)
    .default('none')
    .meta({
      description:
        'Calls of campaigns that go on: `none` = they are left alone, `unanswered` = those that nobody has answered are hung up, `all` = every one is. Whom it only rang is called again after the resume.',
    }),
}).meta({ id: 'StopDialingRequest', description: 'What becomes of calls that go on.' });

export const StoppedDialing = z
  .object({ ...DialingSwitch.shape, hung_up: z.int().meta({ description: 'Calls that were told to end.' }) })
  .meta({ id: 'StoppedDialing', description: 'Nothing more is dialed.' });
export type StoppedDialing = z.infer<typeof StoppedDialing>;

const tag = 'Dialing';

export const getDialPolicy = route({
  method: 'get',
  path: '/organizations/dial-policy',
  id: 'getDialPolicy',
  tag,
  auth: 'key',
  scope: 'read',
  summary: 'Read what campaigns may do',
  description: 'Of all campaigns of the organization together.',
  answers: { 200: { description: 'The policy.', schema: DialPolicyAnswer } },
});

export const setDialPolicy = route({
  method: 'put',
  path: '/organizations/dial-policy',
  id: 'setDialPolicy',
  tag,
  auth: 'key',
  scope: 'admin',
  summary: 'Set what campaigns may do',
  description: 'Replaces the whole policy; campaigns that run follow it within seconds.',
  body: DialPolicyRequest,
  answers: { 200: { description: 'The policy from now on.', schema: DialPolicyAnswer } },
});

export const getDialing = route({
  method: 'get',
  path: '/organizations/dialing',
  id: 'getDialing',
  tag,
  auth: 'key',
  scope: 'read',
  summary: 'Ask whether campaigns may dial',
  description: 'And who stopped them.',
  answers: { 200: { description: 'The switch.', schema: DialingSwitch } },
});

export const stopDialing = route({
  method: 'post',
  path: '/organizations/dialing/stop',
  id: 'stopDialing',
  tag,
  auth: 'key',
  scope: 'calls:trigger',
  summary: 'Stop all campaigns at once',
  description:
    'Within 5 seconds no campaign of the organization dials anybody, until `…/resume`. Campaigns stay as they are: none is paused or completed. Stopped again, the first moment stays.',
  headers: IdempotencyHeaders,
  body: StopDialingRequest,
  answers: { 200: { description: 'Stopped.', schema: StoppedDialing } },
});

export const resumeDialing = route({
  method: 'post',
  path: '/organizations/dialing/resume',
  id: 'resumeDialing',
  tag,
  auth: 'key',
  scope: 'admin',
  summary: 'Let campaigns dial again',
  description:
    'Those that run go on where they were. What the operator of the installation stopped stays stopped.',
  headers: IdempotencyHeaders,
  answers: { 200: { description: 'The switch.', schema: DialingSwitch } },
});
