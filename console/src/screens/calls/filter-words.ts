import { date, duration, timeOfDay } from '../../app/format.ts';
import { outcomeWords } from '../../app/outcome-words.ts';
import { t } from '../../app/words.ts';
import { agentOf, type Agent, type Filter, type FilterFault, lengthOf } from './filters.ts';

/** A filter as its chip says it: `length over` and `1:00`. */
export function filterWords({ field, value }: Filter, agents: readonly Agent[]): [string, string] {
  switch (field) {
    case 'agent':
      return [t('calls.is.agent'), agentOf(value, agents)?.name ?? value];
    case 'outcome':
      return [t('calls.is.outcome'), outcomeWords(value)];
    case 'dur': {
      const { min, max } = lengthOf(value);
      if (min !== undefined && max !== undefined)
        return [t('calls.is.between'), `${duration(min)}–${duration(max)}`];
      return min === undefined
        ? [t('calls.is.under'), duration(max ?? 0)]
        : [t('calls.is.over'), duration(min)];
    }
    case 'status':
    case 'channel':
    case 'direction':
      return [t(`calls.is.${field}`), t(`calls.${field}.${value}`)];
    case 'date':
      return [t('calls.is.date'), ['today', '7d', '30d'].includes(value) ? t(`calls.date.${value}`) : value];
    case 'after':
    case 'before':
      return [t(`calls.is.${field}`), value.includes('T') ? minuteWords(new Date(value)) : value];
    default:
      return [t(`calls.is.${field}`), value];
  }
}

const minuteWords = (at: Date): string => `${date(at)}, ${timeOfDay(at).slice(0, 5)}`;

export const faultWords = ({ text, reason, expected }: FilterFault): string =>
  t(`calls.fault.${reason}`, { text, expected });
