import { setImmediate as nextTurn } from 'node:timers/promises';
import type { DataSource } from 'typeorm';
import { findRow, updateRows } from '../../db/rows.ts';
import { directories, type DirectoryRow } from '../../db/tables/directories.ts';
import { translateUnavailable } from '../../db/unavailable.ts';
import { createContactReader } from '../../domain/directory/read-contact.ts';
import { PhoneRows } from '../../domain/directory/phone-rows.ts';
import { createRowJudge } from '../../domain/directory/row-judge.ts';
import { noTotals, type ImportTotals } from '../../domain/directory/totals.ts';
import { NotFoundError, UnavailableError, ValidationError } from '../../domain/errors.ts';
import { zoneKeyOfPhone } from '../../domain/phone/zones.ts';
import type { FileRow, StoredFile } from '../../providers/contact-files/port.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { ContactFileDeps } from './deps.ts';
import { forbidLate } from './forbid-late.ts';
import { insertContacts, mostOfStatement, removeContacts, type ImportRef, type NewContact } from './insert-contacts.ts';
import { createRowReader, type RowReader } from './read-rows.ts';
import { loadSuppressed, type FindSuppressedAmong } from './suppressed-numbers.ts';
import { removeUnusedImports } from './unused-imports.ts';

export type { ImportRef } from './insert-contacts.ts';

/** What an import needs of the world. */
export interface ImportDeps extends ContactFileDeps {
  db: DataSource;
  clock: Clock;
}

/** `superseded`: the directory is gone, or does not wait for this import any more. */
export interface ImportOutcome {
  state: 'ready' | 'failed' | 'superseded';
  rows: number;
  ok: number;
}

/** Progress is written so often at most. */
const progressEveryMs = 500;

/** A file of more rows is refused: they would fill the disk of the database. */
const mostRows = 2_000_000;

/**
 * One attempt at an import: reads the file once (twice where of rows with the same number the last one counts), and writes its rows, in place of
 * those that an earlier attempt left. A file that cannot be read is an outcome. Throws UnavailableError, and the reason of `signal`.
 */
export async function importContacts({ deps, input, signal }: { deps: ImportDeps; input: ImportRef; signal: AbortSignal }): Promise<ImportOutcome> {
  try {
    const { db, files } = deps;
    const directory = await findImporting(db, input);
    if (directory === null) return superseded;
    if (files === undefined) throw new UnavailableError('This installation keeps no files', { dependency: 'storage' });
    await removeContacts(db, input, signal);
    const findSuppressed = await loadSuppressed(db, input.organizationId, signal);
    const attempt = new Attempt({ deps, input, signal, directory, files, findSuppressed });
    const totals = await attempt.run();
    return totals === null ? superseded : await finish({ deps, input, totals, signal });
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    if (error instanceof ValidationError || error instanceof NotFoundError) return await fail({ deps, input, fault: faultOf(error) });
    throw translateUnavailable(error);
  }
}

const superseded: ImportOutcome = { state: 'superseded', rows: 0, ok: 0 };

const faultOf = (error: ValidationError | NotFoundError): string => (error instanceof NotFoundError ? 'The file is not in the storage any more: upload it again' : error.message);

async function findImporting({ manager }: DataSource, { directoryId, organizationId, importNumber }: ImportRef): Promise<DirectoryRow | null> {
  return await findRow(manager, directories, { id: directoryId, organizationId, importNumber, state: 'importing' });
}

/** Changes the directory while it waits for this import; false when it does not any more. */
export async function changeImporting({ manager }: DataSource, { directoryId, organizationId, importNumber }: ImportRef, change: Partial<DirectoryRow>): Promise<boolean> {
  return (await updateRows(manager, directories, { where: { id: directoryId, organizationId, importNumber, state: 'importing' }, change })) > 0;
}

async function finish({ deps: { db, clock }, input, totals, signal }: { deps: ImportDeps; input: ImportRef; totals: ImportTotals; signal: AbortSignal }): Promise<ImportOutcome> {
  if (!(await changeImporting(db, input, { state: 'ready', totals, fault: null, importedAt: clock.now() }))) return superseded;
  await removeUnusedImports(db, input, signal);
  return { state: 'ready', rows: totals.rows, ok: totals.ok };
}

async function fail({ deps: { db }, input, fault }: { deps: ImportDeps; input: ImportRef; fault: string }): Promise<ImportOutcome> {
  if (!(await changeImporting(db, input, { state: 'failed', fault }))) return superseded;
  await removeContacts(db, input);
  return { state: 'failed', rows: 0, ok: 0 };
}

interface AttemptParts {
  deps: ImportDeps;
  input: ImportRef;
  signal: AbortSignal;
  directory: DirectoryRow;
  files: NonNullable<ContactFileDeps['files']>;
  findSuppressed: FindSuppressedAmong;
}

/** Reading and writing at once: while the database takes a batch, the next one is read. */
class Attempt {
  readonly #parts: AttemptParts;
  readonly #totals: ImportTotals;
  readonly #rows: RowReader;
  #batch: NewContact[] = [];
  #characters = 0;
  #writing: Promise<void> = Promise.resolve();
  #toldAt = 0;

  constructor(parts: AttemptParts) {
    this.#parts = parts;
    const { columns, mapping } = parts.directory;
    this.#totals = { ...noTotals, findings: {}, emptyCells: columns.map(() => 0) };
    this.#rows = createRowReader({ columns, mapping, totals: this.#totals, zoneKeyOf: zoneKeyOfPhone });
  }

  /** What was counted; null when the directory does not wait for it any more. */
  async run(): Promise<ImportTotals | null> {
    const { deps, input, directory: { mapping } } = this.#parts;
    const judge = createRowJudge(mapping.duplicates, mapping.duplicates === 'last' ? await this.#findLastRows() : undefined);
    for await (const rows of this.#read()) {
      for (const row of rows) this.#take(this.#rows.read(row, judge));
      if (this.#isFull()) await this.#write();
      if (!(await this.#tell())) return null;
    }
    await this.#write();
    await this.#writing;
    await forbidLate(deps.db, input, { phones: judge.forbiddenLater(), totals: this.#totals });
    if (this.#totals.rows === 0) throw new ValidationError('There is no row below the header');
    return this.#totals;
  }

  /** Under `last` the row that counts is known when all were seen. */
  async #findLastRows(): Promise<PhoneRows> {
    const { columns, mapping } = this.#parts.directory;
    const read = createContactReader({ columns, mapping, zoneKeyOf: zoneKeyOfPhone });
    const last = new PhoneRows();
    for await (const rows of this.#read()) {
      for (const row of rows) {
        const { state, phone } = read(row);
        if (state === 'ok' && phone !== null) last.set(phone, row.rowNumber);
      }
    }
    return last;
  }

  /** Rows as they come, with a turn of the event loop between batches: heartbeats go out meanwhile. */
  async *#read(): AsyncGenerator<FileRow[]> {
    const { deps: { contactFiles }, directory, files, signal } = this.#parts;
    const counted = countingFile({ bytes: directory.bytes, read: (range) => files.read(directory.fileKey, range) }, (bytes) => {
      this.#totals.bytesRead = Math.min(directory.bytes, bytes);
    });
    for await (const rows of contactFiles.rows(counted, directory.reading)) {
      signal.throwIfAborted();
      if ((rows.at(-1)?.rowNumber ?? 0) > mostRows) throw new ValidationError(`The file has more than ${mostRows} rows: split it`);
      yield rows;
      await nextTurn();
    }
  }

  #take(contact: NewContact | null): void {
    if (contact === null) return;
    this.#batch.push(contact);
    this.#characters += contact.cells.length;
  }

  #isFull(): boolean {
    return this.#batch.length >= mostOfStatement.rows || this.#characters >= mostOfStatement.characters;
  }

  /** Hands the batch over when the one before is written. */
  async #write(): Promise<void> {
    await this.#writing;
    const { deps: { db }, input } = this.#parts;
    const batch = this.#batch;
    [this.#batch, this.#characters] = [[], 0];
    this.#writing = this.#store(db, input, batch);
    // Who awaits it next sees the failure; nobody may be waiting yet.
    this.#writing.catch(() => {});
  }

  async #store(db: DataSource, input: ImportRef, batch: NewContact[]): Promise<void> {
    if (batch.length === 0) return;
    const callable = batch.flatMap(({ state, phone }) => (state === 'ok' && phone !== null ? [phone] : []));
    const suppressed = await this.#parts.findSuppressed(callable);
    for (const contact of batch) this.#rows.suppress(contact, suppressed);
    await insertContacts(db, input, batch);
  }

  async #tell(): Promise<boolean> {
    const now = performance.now();
    if (now - this.#toldAt < progressEveryMs) return true;
    this.#toldAt = now;
    return await changeImporting(this.#parts.deps.db, this.#parts.input, { totals: this.#totals });
  }
}

/** The same file; `tell` hears how many bytes of it were read. */
function countingFile({ bytes, read }: StoredFile, tell: (bytes: number) => void): StoredFile {
  return {
    bytes,
    async *read(range) {
      let count = 0;
      for await (const chunk of read(range)) {
        count += chunk.length;
        tell(count);
        yield chunk;
      }
    },
  };
}
