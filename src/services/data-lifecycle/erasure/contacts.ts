import { In, Not, type EntityManager } from 'typeorm';
import { countRows, deleteRows, findRows, queryRows, updateRows } from '../../../db/rows.ts';
import { campaignTargets } from '../../../db/tables/campaign-targets.ts';
import { contacts } from '../../../db/tables/contacts.ts';
import { numberDials } from '../../../db/tables/number-dials.ts';
import { suppressions } from '../../../db/tables/suppressions.ts';
import { dialedDigits, phoneDigits } from '../../../domain/phone/digits.ts';
import type { ServiceContext } from '../../kernel/index.ts';
import { rebuildBlocks, suppress, suppressedTarget } from '../../contacts/index.ts';
import type { FoundCall, PersonQuery } from './find-person.ts';
import type { EraseArguments } from './read-arguments.ts';
import type { Removed } from './removed.ts';

/** A person as contact files and campaigns know them. */
export interface FoundContacts {
  /** Phone numbers as digits with country code. */
  phones: string[];
  /** The number of `--phone` as digits; null without `--phone`. */
  asked: string | null;
  /** The value in the identifier column of files. */
  identifier: string | null;
}

interface Erasing {
  person: FoundContacts;
  calls: readonly FoundCall[];
  suppression: EraseArguments['suppression'];
}

type Scope = Pick<ServiceContext, 'organizationId'>;

const pageSize = 500;

const calledNumbers = `
  SELECT DISTINCT target.phone AS phone FROM campaign_attempts AS attempt
  JOIN campaign_targets AS target ON target.campaign_id = attempt.campaign_id AND target.\`row_number\` = attempt.\`row_number\`
  WHERE attempt.organization_id = ? AND target.phone <> '' AND attempt.call_id IN`;

/**
 * Finds the numbers of a person in contact files and campaigns: the named number, those of the identifier,
 * and those that the person's calls dialed.
 */
export async function findContacts(
  manager: EntityManager,
  { organizationId }: Scope,
  { query, calls }: { query: PersonQuery; calls: readonly FoundCall[] },
): Promise<FoundContacts> {
  const [asked, dialed] =
    query.phone === undefined ? [null, null] : [phoneDigits(query.phone), dialedDigits(query.phone)];
  const identifier = query.customerId?.trim() ?? null;
  const phones = new Set([asked, dialed].filter((phone) => phone !== null));
  const rows =
    identifier === null
      ? []
      : await findRows(manager, contacts, { organizationId, identifier }, { select: ['phone'] });
  for (const { phone } of rows) if (phone !== null) phones.add(phone);
  for (let from = 0; from < calls.length; from += pageSize) {
    const ids = calls.slice(from, from + pageSize).map(({ callId }) => callId);
    const sql = `${calledNumbers} (${ids.map(() => '?').join(', ')})`;
    const called: { phone: string }[] = await queryRows(manager, {
      organizationId,
      sql,
      values: [organizationId, ...ids],
    });
    for (const { phone } of called) phones.add(phone);
  }
  return { phones: [...phones], asked, identifier };
}

/** Counts the rows that `removeContacts` would change or delete. */
export async function countContacts(
  manager: EntityManager,
  { organizationId }: Scope,
  { person: { phones, identifier, asked }, calls, suppression }: Erasing,
): Promise<Removed> {
  const ofPhones = { organizationId, phone: In(phones) };
  const byIdentifier =
    identifier === null ? 0 : await countRows(manager, contacts, { organizationId, identifier });
  const inBoth = identifier === null ? 0 : await countRows(manager, contacts, { ...ofPhones, identifier });
  return {
    contacts: (await countRows(manager, contacts, ofPhones)) + byIdentifier - inBoth,
    campaign_targets: await countRows(manager, campaignTargets, ofPhones),
    number_dials: await countRows(manager, numberDials, [
      ofPhones,
      { organizationId, callId: In(calls.map(({ callId }) => callId)) },
    ]),
    suppressions: await countRows(
      manager,
      suppressions,
      suppression === 'forget' ? { organizationId, phone: asked ?? '' } : { ...ofPhones, reason: Not('') },
    ),
  };
}

/**
 * Empties the person's contacts and targets, in the caller's transaction: campaigns no longer dial them, and
 * their rows no longer identify the person. A suppressed number stays suppressed, without any other data,
 * unless the command says otherwise: it keeps the person from being called again after a new import of the
 * same file (docs/decisions/0017-suppression-outlives-erasure.md). A repeated run finds nothing.
 */
export async function removeContacts(
  tx: EntityManager,
  { organizationId, clock }: Pick<ServiceContext, 'organizationId' | 'clock'>,
  { person: { phones, identifier, asked }, calls, suppression }: Erasing,
): Promise<Removed> {
  const ofPhones = { organizationId, phone: In(phones) };
  if (suppression === 'add' && asked !== null)
    await suppress(tx, {
      organizationId,
      phones: [asked],
      source: 'api',
      reason: '',
      callId: null,
      createdByUserId: null,
      at: clock.now(),
    });
  await updateRows(tx, campaignTargets, {
    // guarantee: erasure-ends-targets
    where: { ...ofPhones, state: In(['queued', 'waiting']) },
    change: suppressedTarget(clock.now()),
  });
  const emptied = {
    state: 'suppressed' as const,
    phone: null,
    zoneKey: '',
    identifier: null,
    cells: [],
    findings: null,
  };
  const rows = await findRows(
    tx,
    contacts,
    [ofPhones, ...(identifier === null ? [] : [{ organizationId, identifier }])],
    { select: ['directoryId', 'importNumber', 'rowNumber'] },
  );
  const byPhone = await updateRows(tx, contacts, { where: ofPhones, change: emptied });
  const byIdentifier =
    identifier === null
      ? 0
      : await updateRows(tx, contacts, { where: { organizationId, identifier }, change: emptied });
  await rebuildBlocks(tx, organizationId, rows);
  return {
    contacts: byPhone + byIdentifier,
    campaign_targets: await updateRows(tx, campaignTargets, {
      where: ofPhones,
      change: { phone: '', zoneKey: '' },
    }),
    number_dials:
      (await deleteRows(tx, numberDials, ofPhones)) +
      (await deleteRows(tx, numberDials, { organizationId, callId: In(calls.map(({ callId }) => callId)) })),
    // Removes the written reason, which may describe the person, but keeps the number suppressed.
    // guarantee: erasure-keeps-suppressed-number
    suppressions:
      suppression === 'forget'
        ? await deleteRows(tx, suppressions, { organizationId, phone: asked ?? '' })
        : await updateRows(tx, suppressions, {
            where: { ...ofPhones, reason: Not('') },
            change: { reason: '' },
          }),
  };
}
