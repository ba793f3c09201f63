/** What the browser's clock lacks to that of the service, whose moments the pages show. */
let lackMs = 0;

/** Milliseconds since 1970 by the clock of the service, also where the browser's is wrong. */
export const nowMs = (): number => Date.now() + lackMs;

/** The same as a date. */
export const nowDate = (): Date => new Date(nowMs());

interface Exchange {
  /** The `Date` of the answer: the whole second in which it was made. */
  date: string | null;
  /** When the request left and the answer came, by the browser's clock. */
  sentMs: number;
  receivedMs: number;
}

/** What the clock lacks after an exchange. What agrees with the exchange stays. */
export function lackAfter(before: number, { date, sentMs, receivedMs }: Exchange): number {
  const second = Date.parse(date ?? '');
  const [least, most] = [second - receivedMs, second + 1000 - sentMs];
  // An answer without a date says nothing; nor does one during which somebody set the browser's clock.
  return least <= most ? Math.min(Math.max(before, least), most) : before;
}

/** Call it when a request is sent, and the result with the `Date` header of the answer: that sets the clock. */
export function askClock(): (date: string | null) => void {
  const sentMs = Date.now();
  return (date) => {
    lackMs = lackAfter(lackMs, { date, sentMs, receivedMs: Date.now() });
  };
}
