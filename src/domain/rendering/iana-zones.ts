import moment from 'moment-timezone';
import { isZone } from '../../contract/data/zones.ts';
import type { TimeZones } from '../template/renderer.ts';

const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

/** Time zones and their abbreviations by the IANA data of moment-timezone, not of `Intl` (contract 7.3). */
export const ianaZones: TimeZones = {
  isZone,
  timeText: ({ kind, zone, now }) => {
    const local = moment.tz(now, zone).locale('en');
    return kind === 'current_weekday' ? (weekdays[local.day()] ?? '') : local.format('YYYY-MM-DD HH:mm:ss z');
  },
};
