import type { EntityManager } from 'typeorm';
import { z } from 'zod';
import { insertRow } from '../../../db/rows.ts';
import { campaignLogs, type CampaignLogRow } from '../../../db/tables/campaign-logs.ts';
import type { CampaignRow } from '../../../db/tables/campaigns.ts';
import type { Clock } from '../../../runtime/clock.ts';
import { actorColumns, findActors, type ServiceContext } from '../../kernel/index.ts';

export type CampaignLogEntry = Pick<CampaignLogRow, 'event' | 'message'> &
  Partial<Pick<CampaignLogRow, 'level' | 'details'>>;

const authorName = 'author';
/** Kept with an entry, beside its other details: ids alone. */
const Author = z.object({
  actorKind: z.string(),
  actorId: z.int().nullable(),
  actorName: z.string().nullable(),
});

/** Writes what the actor has done into the log of a campaign. */
export async function appendDeed(
  tx: EntityManager,
  { actor, clock }: Pick<ServiceContext, 'actor' | 'clock'>,
  { campaign, entry }: { campaign: Pick<CampaignRow, 'id' | 'organizationId'>; entry: CampaignLogEntry },
): Promise<void> {
  const details = { ...entry.details, [authorName]: actorColumns(actor) };
  await appendCampaignLog(tx, campaign, { clock, ...entry, details });
}

/** The details of an entry without its author. */
export const detailsOf = ({ details: { [authorName]: _, ...details } }: Pick<CampaignLogRow, 'details'>) =>
  details;

/** Who did what entries of the organization say: names of users and keys; null for the service. */
export async function findAuthors(
  { db, organizationId }: Pick<ServiceContext, 'db' | 'organizationId'>,
  entries: readonly CampaignLogRow[],
): Promise<(entry: CampaignLogRow) => string | null> {
  const authors = new Map(
    entries.flatMap(({ id, details }) => {
      const { data } = Author.safeParse(details[authorName]);
      return data === undefined ? [] : [[id, { organizationId, ...data }] as const];
    }),
  );
  const actorOf = await findActors(db.manager, organizationId, [...authors.values()]);
  return ({ id }) => {
    const author = authors.get(id);
    return author === undefined ? null : actorOf(author).name;
  };
}

/**
 * Writes a log entry of a campaign in the transaction of its cause. It has words and counts only, nothing
 * about a person.
 */
export async function appendCampaignLog(
  tx: EntityManager,
  { id, organizationId }: Pick<CampaignRow, 'id' | 'organizationId'>,
  { clock, ...entry }: CampaignLogEntry & { clock: Clock },
): Promise<void> {
  await insertRow(tx, campaignLogs, {
    organizationId,
    campaignId: id,
    at: clock.now(),
    level: 'info' as const,
    details: {},
    ...entry,
  });
}
