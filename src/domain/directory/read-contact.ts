import { isErrorCell, isNothingFound } from './error-cell.ts';
import { isZone } from '../../contract/data/zones.ts';
import type { CellFinding, FindingCode } from './findings.ts';
import type { Mapping } from './mapping.ts';
import { readIdentifier } from './read-identifier.ts';
import { createPhoneReader } from '../phone/read-phone.ts';

/** A row as it comes from the file, with its cells in the order of the columns. */
export interface RowToRead {
  cells: readonly string[];
  flags?: readonly { column: number | null; code: FindingCode }[];
}

export interface ReadContact {
  state: 'ok' | 'invalid' | 'no_phone' | 'do_not_call';
  /** Digits with country code, no plus; null if there is none. */
  phone: string | null;
  /** As in `contacts`: from the zone column, otherwise from the number; empty = unknown. */
  zoneKey: string;
  /** Text of the identifier's cell, at most 255 characters; null if there is none or its formula failed. */
  identifier: string | null;
  /** Higher is earlier; 0 if there is none. */
  priority: number;
  findings: CellFinding[] | null;
}

export interface ContactReaderInput {
  columns: readonly string[];
  mapping: Mapping;
  zoneKeyOf: (phone: string) => string;
  /** Columns that an agent needs. A row with an empty cell in one of them gets a finding. */
  required?: readonly string[];
}

/**
 * Creates a reader for the rows of one file by its mapping. What depends only on the columns is computed
 * here, once per file.
 */
export function createContactReader({
  columns,
  mapping,
  zoneKeyOf,
  required = [],
}: ContactReaderInput): (row: RowToRead) => ReadContact {
  const place = (name: string | null): number => (name === null ? -1 : columns.indexOf(name));
  const file: ContactFile = {
    columns,
    mapping,
    at: {
      phone: place(mapping.phone),
      identifier: place(mapping.identifier),
      timeZone: place(mapping.timeZone),
      doNotCall: place(mapping.doNotCall),
      priority: place(mapping.priority),
    },
    required: required.map(place).filter((index) => index !== -1),
    readPhone: createPhoneReader(mapping.defaultCountry),
    zoneKeyOf,
  };
  return (row) => readContact(file, row);
}

interface ContactFile {
  columns: readonly string[];
  mapping: Mapping;
  /** Positions of the mapped columns; -1 for none. */
  at: Record<'phone' | 'identifier' | 'timeZone' | 'doNotCall' | 'priority', number>;
  /** Positions of the required columns. */
  required: readonly number[];
  readPhone: ReturnType<typeof createPhoneReader>;
  zoneKeyOf: (phone: string) => string;
}

/** Adds a finding about the cell at an index, or about the row. */
type Note = (code: FindingCode, index: number | null, level?: CellFinding['level']) => void;

function readContact(file: ContactFile, { cells, flags }: RowToRead): ReadContact {
  const { columns, at } = file;
  const findings: CellFinding[] = [];
  const note: Note = (code, index, level = 'warning') => {
    findings.push({ code, level, column: index === null ? null : (columns[index] ?? null) });
  };
  noteCells(file, { cells, flags }, note);

  const written = cells[at.phone] ?? '';
  const read = file.readPhone(isErrorCell(written) ? '' : written);
  const phone = read.kind === 'phone' ? read.phone : null;
  const isUnwanted = at.doNotCall !== -1 && saysDoNotCall(cells[at.doNotCall] ?? '');
  if (isUnwanted) note('do_not_call', at.doNotCall, 'error');
  else if (read.kind === 'empty') note('phone_missing', at.phone === -1 ? null : at.phone, 'error');
  else if (read.kind === 'refused') note(read.code, at.phone, 'error');
  else if (read.warning !== null) note(read.warning, at.phone, levelOfWarning(read.warning, file.mapping));

  const zoneKey = readZone(file, { cell: cells[at.timeZone] ?? '', phone, note });
  const priority = readPriority(file, cells[at.priority] ?? '', note);
  const { identifier, fault } = readIdentifier(cells[at.identifier] ?? '');
  if (fault !== null) note(fault.code, at.identifier, fault.level);
  return {
    state: stateOf(),
    phone,
    zoneKey,
    identifier,
    priority,
    findings: findings.length === 0 ? null : findings,
  };

  function stateOf(): ReadContact['state'] {
    if (isUnwanted) return 'do_not_call';
    if (read.kind === 'empty') return 'no_phone';
    return findings.some(({ level }) => level === 'error') ? 'invalid' : 'ok';
  }
}

/** Notes what the reader of the file flagged, failed formulas, and required cells that are empty. */
function noteCells({ at, required }: ContactFile, { cells, flags }: RowToRead, note: Note): void {
  for (const { code, column } of flags ?? [])
    if (code !== 'phone_date' || column === at.phone) note(code, column, levelOfFlag(code, column, at.phone));
  for (let index = 0; index < cells.length; index += 1)
    if (isErrorCell(cells[index] ?? '') && !isFlagged(flags, index)) note('formula_error', index);
  for (const index of required) if ((cells[index] ?? '').trim() === '') note('variable_empty', index);
}

function readZone(
  { at, zoneKeyOf }: ContactFile,
  { cell, phone, note }: { cell: string; phone: string | null; note: Note },
): string {
  const written = cell.trim();
  const zone = written === '' ? null : zoneNamed(written);
  if (zone !== null) return zone;
  if (written !== '') note('zone_unknown', at.timeZone);
  return phone === null ? '' : zoneKeyOf(phone);
}

function readPriority({ at }: ContactFile, cell: string, note: Note): number {
  const written = cell.trim();
  if (written === '') return 0;
  if (/^[+-]?\d{1,9}$/.test(written)) return Number(written);
  note('priority_invalid', at.priority);
  return 0;
}

// guarantee: unassigned-number-called-unless-left-out
function levelOfWarning(code: FindingCode, { unassigned }: Mapping): CellFinding['level'] {
  return code === 'phone_unassigned' && unassigned === 'leave_out' ? 'error' : 'warning';
}

/** Faults of a cell that make its text useless as a number. */
const inPhone: ReadonlySet<FindingCode> = new Set(['digits_lost', 'text_damaged', 'phone_date']);

/** A row with truncated text is left out. Other faults matter only in the phone column. */
function levelOfFlag(code: FindingCode, column: number | null, phoneColumn: number): CellFinding['level'] {
  if (code === 'cell_too_long') return 'error';
  return column === phoneColumn && inPhone.has(code) ? 'error' : 'warning';
}

/** Whether the reader of the file has already reported the failed formula. */
function isFlagged(flags: RowToRead['flags'], index: number): boolean {
  return flags?.some(({ code, column }) => code === 'formula_error' && column === index) === true;
}

const zones = new Map<string, string | null>();

/** An IANA name in any case. Files have few of them, in many rows. */
function zoneNamed(written: string): string | null {
  const known = zones.get(written);
  if (known !== undefined) return known;
  const zone =
    [written, ...(written.includes('/') ? [titled(written)] : [written.toUpperCase()])].find(isZone) ?? null;
  if (zones.size < maxZones) zones.set(written, zone);
  return zone;
}

const maxZones = 10_000;

/** `europe/berlin` becomes `Europe/Berlin`. */
function titled(zone: string): string {
  return zone
    .toLowerCase()
    .replaceAll(/(^|[/_-])([a-z])/g, (_, before: string, letter: string) => before + letter.toUpperCase());
}

const no = new Set([
  '',
  '0',
  '0.0',
  'no',
  'n',
  'false',
  'f',
  'off',
  'none',
  '-',
  '—',
  'нет',
  'н',
  'ложь',
  'nein',
  'falsch',
  'non',
  'faux',
  'não',
  'nao',
  'nie',
  'nee',
  'ei',
  'ні',
  'hayır',
  '否',
  'いいえ',
  'allow',
  'allowed',
  'ok to call',
]);

/** What programs write for an empty value. */
const nothing = new Set([
  'null',
  '(null)',
  'nil',
  'nan',
  'n/a',
  'na',
  'n.a.',
  'n. a.',
  'undefined',
  '(blank)',
  '(empty)',
  '(leer)',
]);

/**
 * Whether the column says not to call the contact. Anything but a clear no does, such as a date or a reason.
 * A lookup that found nothing means that the contact is not on the list. Any other failed formula says
 * nothing, and a contact who may be on the list is not called.
 */
function saysDoNotCall(cell: string): boolean {
  const written = cell.trim().toLowerCase();
  // guarantee: unclear-do-not-call-blocks-row
  return !no.has(written) && !nothing.has(written) && !isNothingFound(cell);
}
