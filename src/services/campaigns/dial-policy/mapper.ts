import type { DialingSwitch, DialPolicyAnswer, DialPolicyRequest } from '../../../contract/dialing.ts';
import type { DialPolicyRow } from '../../../db/tables/dial-policies.ts';
import type { InstallationStopRow } from '../../../db/tables/installation-stops.ts';
import type { DialPolicy } from '../../../domain/campaign/policy.ts';
import { wireTimestamp } from '../../kernel/index.ts';

/**
 * The dialing switch as the API shows it. A stop by the operator for all organizations counts like one for
 * this organization.
 */
export function toDialingSwitch(
  own: Pick<DialPolicyRow, 'stoppedAt' | 'stoppedByUserId' | 'operatorStoppedAt'> | null,
  installation: Pick<InstallationStopRow, 'since'> | null,
): DialingSwitch {
  const byOperator = installation?.since ?? own?.operatorStoppedAt ?? null;
  const at = own?.stoppedAt ?? null;
  return {
    is_stopped: at !== null || byOperator !== null,
    stopped_at: at === null ? null : wireTimestamp(at),
    stopped_by: own?.stoppedByUserId ?? null,
    operator_stopped_at: byOperator === null ? null : wireTimestamp(byOperator),
  };
}

export function toDialPolicy({
  policy,
  updatedAt,
}: {
  policy: DialPolicy;
  updatedAt: Date | null;
}): DialPolicyAnswer {
  const { reservedLines, startsPerSecond, caps, window, countries, sipHosts } = policy;
  return {
    reserved_lines: reservedLines ?? null,
    starts_per_second: startsPerSecond ?? null,
    caps:
      caps === undefined ? null : { per_hour: caps.perHour, per_day: caps.perDay, per_week: caps.perWeek },
    window:
      window === undefined
        ? null
        : {
            slots: window.slots.map(({ day, start, end }) => ({
              day_of_week: day,
              start_time: start,
              end_time: end,
            })),
          },
    allowed_countries: countries ?? null,
    allow_special_numbers: policy.allowsSpecialNumbers ?? false,
    allowed_sip_hosts: sipHosts ?? null,
    max_calls_per_day: policy.maxCallsPerDay ?? null,
    max_call_minutes_per_day: policy.maxCallMinutesPerDay ?? null,
    updated_at: updatedAt === null ? null : wireTimestamp(updatedAt),
  };
}

export function fromDialPolicy({
  reserved_lines,
  starts_per_second,
  caps,
  window,
  allowed_countries: countries,
  allow_special_numbers: allowsSpecialNumbers,
  allowed_sip_hosts: sipHosts,
  max_calls_per_day: maxCallsPerDay,
  max_call_minutes_per_day: maxCallMinutesPerDay,
}: DialPolicyRequest): DialPolicy {
  return {
    ...(reserved_lines == null ? {} : { reservedLines: reserved_lines }),
    ...(starts_per_second == null ? {} : { startsPerSecond: starts_per_second }),
    ...(caps == null
      ? {}
      : {
          caps: {
            perHour: caps.per_hour ?? null,
            perDay: caps.per_day ?? null,
            perWeek: caps.per_week ?? null,
          },
        }),
    ...(window == null
      ? {}
      : {
          window: {
            slots: window.slots.map(({ day_of_week, start_time, end_time }) => ({
              day: day_of_week,
              start: start_time,
              end: end_time,
            })),
          },
        }),
    ...(countries == null ? {} : { countries }),
    ...(allowsSpecialNumbers == null ? {} : { allowsSpecialNumbers }),
    ...(sipHosts == null ? {} : { sipHosts: sipHosts.map((host) => host.toLowerCase()) }),
    ...(maxCallsPerDay == null ? {} : { maxCallsPerDay }),
    ...(maxCallMinutesPerDay == null ? {} : { maxCallMinutesPerDay }),
  };
}
