import { useEffect, useState } from 'react';
import { nowMs } from './clock.ts';

/** The moment in milliseconds since 1970, by the clock of the service, read anew each second or as often as asked. */
export function useNow(everyMs = 1000): number {
  const [now, setNow] = useState(nowMs);
  useEffect(() => {
    const timer = setInterval(() => setNow(nowMs()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return now;
}
