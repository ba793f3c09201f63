import { campaigns } from './removals/campaigns.ts';
import { clients } from './removals/clients.ts';
import { conversations } from './removals/conversations.ts';
import { organizations } from './removals/organizations.ts';
import { phoneCalls } from './removals/phone-calls.ts';
import type { Guarantee } from './guarantees.ts';

/** What stands for «without it»: the first text, which is once in the file, becomes the second. */
export type Edit = readonly [find: string, replace: string];

/** The edits of each file of src. */
export type Removals = Readonly<Record<string, readonly Edit[]>>;

export const removals: Removals = {
  ...conversations,
  ...phoneCalls,
  ...organizations,
  ...clients,
  ...campaigns,
};

/** The edit that takes a guarantee's code out; null = there is none for it. */
export function removalOf({ source, code }: Pick<Guarantee, 'source' | 'code'>): Edit | null {
  return removals[source]?.find(([find]) => find.includes(code)) ?? null;
}
