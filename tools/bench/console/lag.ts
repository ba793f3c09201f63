import { pause } from '../concurrency.ts';
import { until } from '../../../test/support/until.ts';
import { z } from 'zod';
import type { Tab } from './tab.ts';

/** A number that only grows, and when it was seen: milliseconds since 1970. */
const Sight = z.object({ at: z.number(), value: z.number() });
export type Sight = z.infer<typeof Sight>;

export const askEveryMs = 100;
const lateMs = 20_000;

/**
 * For each value that the API answered for the first time, the time until the page showed it or a later one.
 * Throws for a value that the page never showed.
 */
export function lagsOf(answered: readonly Sight[], shown: readonly Sight[]): number[] {
  return answered.slice(1).map(({ at, value }) => {
    const seen = shown.find((each) => each.value >= value);
    if (seen === undefined) throw new RangeError(`The page never showed ${value}`);
    return Math.max(0, seen.at - at);
  });
}

/**
 * How far a number of the page is behind the API, for each change of the number. `shown` is an expression of the
 * page, `ask` asks the API for the same number.
 */
export async function measureLag(
  { page }: Tab,
  { shown, ask, forMs }: { shown: string; ask: () => Promise<number>; forMs: number },
): Promise<number[]> {
  await page.evaluate(`{
    window.benchSights = [];
    const note = () => {
      const value = ${shown};
      if (value > (window.benchSights.at(-1)?.value ?? -1)) window.benchSights.push({ at: Date.now(), value });
    };
    note();
    // What has changed is seen with the next frame.
    window.benchWatch = new MutationObserver(() => requestAnimationFrame(note));
    window.benchWatch.observe(document.body, { subtree: true, childList: true, characterData: true });
  }`);
  const answered: Sight[] = [];
  for (const begun = Date.now(); Date.now() - begun < forMs; await pause(askEveryMs)) {
    const at = Date.now();
    const value = await ask();
    if (value > (answered.at(-1)?.value ?? -1)) answered.push({ at, value });
  }
  const last = answered.at(-1)?.value ?? 0;
  await until(
    'the page shows the last number',
    async () => await page.evaluate<boolean>(`window.benchSights.some(({ value }) => value >= ${last})`),
    lateMs,
  );
  const sights = z
    .array(Sight)
    .parse(
      await page.evaluate(
        '(() => { const all = window.benchSights; window.benchWatch.disconnect(); window.benchSights = []; return all; })()',
      ),
    );
  return lagsOf(answered, sights);
}
