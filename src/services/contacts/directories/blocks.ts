import { Between, In, type EntityManager } from 'typeorm';
import { findRow, findRows, queryRows, upsertRows, type Db } from '../../../db/rows.ts';
import { contactBlocks, type ContactBlockRow } from '../../../db/tables/contact-blocks.ts';
import { contacts, type ContactRow, type ContactState } from '../../../db/tables/contacts.ts';
import { addGrams, bitsOf, emptyGrams, type Grams } from '../../../domain/directory/grams.ts';
import type { ImportRef } from './insert-contacts.ts';

/** Row numbers of a block. More of them make a search read more rows, fewer make more blocks. */
const rowsOfBlock = 256;

/** Blocks of one statement: at most 4 MB. */
const blocksAtOnce = 128;

const blockOf = (rowNumber: number): number => Math.floor((rowNumber - 1) / rowsOfBlock);

/** What a block has to know of a contact. */
interface NotedContact extends Pick<ContactRow, 'rowNumber' | 'state' | 'phone' | 'findings'> {
  /** Already JSON. */
  cells: string;
}

/**
 * Adds contacts to what their blocks are known to hold. What a contact was before stays known, which makes a
 * search read more rows and never miss one.
 */
export async function noteInBlocks(
  tx: EntityManager,
  ref: ImportRef,
  rows: readonly NotedContact[],
): Promise<void> {
  const byBlock = Map.groupBy(rows, ({ rowNumber }) => blockOf(rowNumber));
  const numbers = [...byBlock.keys()];
  for (let from = 0; from < numbers.length; from += blocksAtOnce) {
    const some = numbers.slice(from, from + blocksAtOnce);
    const found = await findRows(
      tx,
      contactBlocks,
      { ...keyOf(ref), organizationId: ref.organizationId, blockNumber: In(some) },
      { isLocked: true },
    );
    const known = new Map(found.map((block) => [block.blockNumber, block]));
    await writeBlocks(
      tx,
      some.map((blockNumber) =>
        withContacts(
          known.get(blockNumber) ?? { ...emptyBlock, ...ref, blockNumber },
          byBlock.get(blockNumber),
        ),
      ),
    );
  }
}

/** Forgets what contacts were before: their blocks know only what is stored now. */
export async function rebuildBlocks(
  tx: EntityManager,
  organizationId: number,
  rows: readonly Pick<ContactRow, 'directoryId' | 'importNumber' | 'rowNumber'>[],
): Promise<void> {
  const blocks = new Map(
    rows.map(({ directoryId, importNumber, rowNumber }) => {
      const blockNumber = blockOf(rowNumber);
      return [`${directoryId} ${importNumber} ${blockNumber}`, { directoryId, importNumber, blockNumber }];
    }),
  );
  for (const block of blocks.values()) {
    // Take the lock first: a concurrent import has either committed its contacts or waits.
    await findRow(tx, contactBlocks, { ...block, organizationId }, { isLocked: true });
    const { first, last } = rangeOf(block.blockNumber);
    const now = await findRows(tx, contacts, {
      ...keyOf(block),
      organizationId,
      rowNumber: Between(first, last),
    });
    const held = now.map((row) => ({ ...row, cells: JSON.stringify(row.cells) }));
    // guarantee: erased-text-not-searchable
    await writeBlocks(tx, [withContacts({ ...emptyBlock, ...block, organizationId }, held)]);
  }
}

const keyOf = ({ directoryId, importNumber }: Pick<ImportRef, 'directoryId' | 'importNumber'>) => ({
  directoryId,
  importNumber,
});

const emptyBlock = { states: '', findings: '', grams: new Uint8Array() };

function withContacts(block: ContactBlockRow, added: readonly NotedContact[] = []): ContactBlockRow {
  const characters = added.reduce((sum, { cells }) => sum + cells.length, 0);
  const grams: Grams =
    block.grams.length > 0
      ? new Uint8Array(block.grams)
      : emptyGrams((characters / Math.max(1, added.length)) * rowsOfBlock);
  const states = new Set<string>(words(block.states));
  const findings = new Set<string>(words(block.findings));
  for (const { state, findings: own, phone, cells } of added) {
    states.add(state);
    for (const { code } of own ?? []) findings.add(code);
    addGrams(grams, cells);
    if (phone !== null) addGrams(grams, phone);
  }
  return { ...block, states: [...states].join(','), findings: [...findings].join(','), grams };
}

const words = (list: string): string[] => (list === '' ? [] : list.split(','));

async function writeBlocks(tx: EntityManager, blocks: readonly ContactBlockRow[]): Promise<void> {
  await upsertRows(
    tx,
    contactBlocks,
    blocks.map(({ directoryId, importNumber, blockNumber, organizationId, states, findings, grams }) => ({
      directoryId,
      importNumber,
      blockNumber,
      organizationId,
      states,
      findings,
      grams: Buffer.from(grams),
    })),
    ['states', 'findings', 'grams'],
  );
}

/** Row numbers, both included. */
export interface RowRange {
  first: number;
  last: number;
}

function rangeOf(blockNumber: number): RowRange {
  return { first: blockNumber * rowsOfBlock + 1, last: (blockNumber + 1) * rowsOfBlock };
}

/** The blocks that may hold contacts with all of this, in the order of the file. */
export async function findBlocks(
  db: Db,
  { directoryId, importNumber, organizationId }: ImportRef,
  {
    after,
    state,
    finding,
    texts,
  }: {
    /** The row number before the first wanted one. */
    after: number;
    state: ContactState | undefined;
    finding: string | undefined;
    /** One of these is in the number or in a cell. Empty = any. */
    texts: readonly string[];
  },
): Promise<RowRange[]> {
  const holds = texts.map(holdsGrams);
  const found: { block: number | string }[] = await queryRows(db, {
    organizationId,
    sql: `SELECT block_number AS block FROM contact_blocks
      WHERE directory_id = ? AND import_number = ? AND organization_id = ? AND block_number >= ?
        ${state === undefined ? '' : 'AND FIND_IN_SET(?, states)'} ${finding === undefined ? '' : 'AND FIND_IN_SET(?, findings)'}
        ${holds.length === 0 || holds.includes('') ? '' : `AND (${holds.join(' OR ')})`}
      ORDER BY block_number`,
    values: [
      directoryId,
      importNumber,
      organizationId,
      blockOf(after + 1),
      ...[state, finding].filter((each) => each !== undefined),
    ],
  });
  return found.map(({ block }) => rangeOf(Number(block)));
}

/** Empty for a text without grams, which may be anywhere. */
function holdsGrams(text: string): string {
  const bits = bitsOf(text).map(
    ({ byte, mask }) => `ASCII(SUBSTRING(grams, 1 + ${byte} % LENGTH(grams), 1)) & ${mask}`,
  );
  return bits.length === 0 ? '' : `(${bits.join(' AND ')})`;
}
