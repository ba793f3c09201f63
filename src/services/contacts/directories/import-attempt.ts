import { setImmediate as nextTurn } from 'node:timers/promises';
import type { DirectoryRow } from '../../../db/tables/directories.ts';
import { createContactReader } from '../../../domain/directory/read-contact.ts';
import { PhoneRows } from '../../../domain/directory/phone-rows.ts';
import { createRowJudge } from '../../../domain/directory/row-judge.ts';
import { noTotals, type ImportTotals } from '../../../domain/directory/totals.ts';
import { ValidationError } from '../../../domain/errors.ts';
import { zoneKeyOfPhone } from '../../../domain/phone/zones.ts';
import type { FileRow } from '../../../providers/contact-files/port.ts';
import type { ContactFileDeps } from './deps.ts';
import { hashedFile, type HashedFile } from './hashed-file.ts';
import type { ImportDeps } from './import-contacts.ts';
import { insertContacts, maxOfStatement, type NewContact } from './insert-contacts.ts';
import { changeDirectory, whileOwn, type OwnAttempt } from './own-attempt.ts';
import { createRowReader, type RowReader } from './read-rows.ts';
import type { FindSuppressedAmong } from './suppressed-numbers.ts';

/** Minimum time between writes of the progress. */
const progressEveryMs = 500;

/** Files with more rows are refused, because they would fill the database's disk. */
const maxRows = 2_000_000;

/** The result of an attempt. */
export interface ReadRows {
  totals: ImportTotals;
  /** Numbers that a row forbids after other rows with them passed. */
  forbidden: string[];
}

interface AttemptParts {
  deps: Pick<ImportDeps, 'db' | 'contactFiles'>;
  own: OwnAttempt;
  signal: AbortSignal;
  directory: DirectoryRow;
  files: NonNullable<ContactFileDeps['files']>;
  findSuppressed: FindSuppressedAmong;
}

/**
 * One attempt at an import. It reads and writes concurrently: while the database takes a batch, the next one
 * is read.
 */
export class Attempt {
  readonly #parts: AttemptParts;
  readonly #totals: ImportTotals;
  readonly #rows: RowReader;
  readonly #file: HashedFile;
  #batch: NewContact[] = [];
  #characters = 0;
  #writing: Promise<void> = Promise.resolve();
  #reportedAt = 0;

  constructor(parts: AttemptParts) {
    this.#parts = parts;
    const { columns, mapping, fileKey, bytes } = parts.directory;
    this.#totals = { ...noTotals, findings: {}, emptyCells: columns.map(() => 0) };
    this.#rows = createRowReader({ columns, mapping, totals: this.#totals, zoneKeyOf: zoneKeyOfPhone });
    this.#file = hashedFile({ bytes, read: (range) => parts.files.read(fileKey, range) }, (read) => {
      this.#totals.bytesRead = Math.min(bytes, read);
    });
  }

  /** Throws SupersededError when another attempt takes its place, ValidationError for an unreadable file. */
  async run(): Promise<ReadRows> {
    const { mapping } = this.#parts.directory;
    const judge = createRowJudge(
      mapping.duplicates,
      mapping.duplicates === 'last' ? await this.#findLastRows() : undefined,
    );
    for await (const rows of this.#read()) {
      for (const row of rows) this.#take(this.#rows.read(row, judge));
      if (this.#isFull()) await this.#write();
      await this.#tell();
    }
    await this.#write();
    await this.#writing;
    if (this.#totals.rows === 0) throw new ValidationError('The file has no row below the header');
    return { totals: this.#totals, forbidden: judge.forbiddenLater() };
  }

  /** The hashes of what it has read. */
  async hashes(): Promise<ReadonlySet<string>> {
    return await this.#file.hashes();
  }

  /** Under `last`, the rows that count are known only after a pass over the file. */
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

  /** Rows as they come, with a turn of the event loop between batches, so that heartbeats go out. */
  async *#read(): AsyncGenerator<FileRow[]> {
    const {
      deps: { contactFiles },
      directory,
      signal,
    } = this.#parts;
    for await (const rows of contactFiles.rows(this.#file, directory.reading)) {
      signal.throwIfAborted();
      if ((rows.at(-1)?.rowNumber ?? 0) > maxRows)
        throw new ValidationError(`The file has more than ${maxRows} rows: split it`);
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
    return this.#batch.length >= maxOfStatement.rows || this.#characters >= maxOfStatement.characters;
  }

  /** Hands the batch over when the previous one is written. */
  async #write(): Promise<void> {
    await this.#writing;
    const batch = this.#batch;
    [this.#batch, this.#characters] = [[], 0];
    this.#writing = this.#store(batch);
    // The next await gets the failure. Without this handler it would be unhandled until then.
    this.#writing.catch(() => {});
  }

  async #store(batch: NewContact[]): Promise<void> {
    if (batch.length === 0) return;
    const {
      deps: { db },
      own,
      findSuppressed,
    } = this.#parts;
    const callable = batch.flatMap(({ state, phone }) => (state === 'ok' && phone !== null ? [phone] : []));
    const suppressed = await findSuppressed(callable);
    for (const contact of batch) this.#rows.suppress(contact, suppressed);
    await whileOwn(db, own, (tx) => insertContacts(tx, own, batch));
  }

  async #tell(): Promise<void> {
    const now = performance.now();
    if (now - this.#reportedAt < progressEveryMs) return;
    this.#reportedAt = now;
    const {
      deps: { db },
      own,
    } = this.#parts;
    await whileOwn(db, own, (tx) =>
      changeDirectory(tx, own, { totals: { ...this.#totals, attempt: own.attempt } }),
    );
  }
}
