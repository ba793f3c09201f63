import { isErrorCell, isNothingFound } from './error-cell.ts';
import { isZone } from '../template/time.ts';
import type { CellFinding, FindingCode } from './findings.ts';
import type { Mapping } from './mapping.ts';
import { readIdentifier } from './read-identifier.ts';
import { createPhoneReader } from './read-phone.ts';

/** A row as it comes from the file; its cells stand in the order of the columns. */
export interface RowToRead {
  cells: readonly string[];
  flags?: readonly { column: number | null; code: FindingCode }[];
}

export interface ReadContact {
  state: 'ok' | 'invalid' | 'no_phone' | 'do_not_call';
  /** Digits with country code, no plus; null where there is none. */
  phone: string | null;
  /** As in `contacts`: from the zone column, else from the number; empty = unknown. */
  zoneKey: string;
  /** Text of the identifier's cell, at most 255 letters; null without one, and where a formula failed. */
  identifier: string | null;
  /** Higher is earlier; 0 without one. */
  priority: number;
  findings: CellFinding[] | null;
}

export interface ContactReaderInput {
  columns: readonly string[];
  mapping: Mapping;
  zoneKeyOf: (phone: string) => string;
  /** Columns that an agent needs: where one of their cells is empty, the row says so. */
  required?: readonly string[];
}

/**
 * Reads rows of one file by its mapping. Made once for a file: what depends on the columns alone is found out
 * here.
 */
export function createContactReader({
  columns,
  mapping,
  zoneKeyOf,
  required = [],
}: ContactReaderInput): (row: RowToRead) => ReadContact {
  const place = (name: string | null): number => (name === null ? -1 : columns.indexOf(name));
  const at = {
    phone: place(mapping.phone),
    identifier: place(mapping.identifier),
    timeZone: place(mapping.timeZone),
    doNotCall: place(mapping.doNotCall),
    priority: place(mapping.priority),
  };
  const requiredPlaces = required.map(place).filter((index) => index !== -1);
  const readPhone = createPhoneReader(mapping.defaultCountry);

  return ({ cells, flags }) => {
    const findings: CellFinding[] = [];
    const note = (code: FindingCode, index: number | null, level: CellFinding['level'] = 'warning'): void => {
      findings.push({ code, level, column: index === null ? null : (columns[index] ?? null) });
    };
    for (const { code, column } of flags ?? []) note(code, column, levelOfFlag(code, column, at.phone));
    for (let index = 0; index < cells.length; index += 1)
      if (isErrorCell(cells[index] ?? '') && !isFlagged(flags, index)) note('formula_error', index);
    for (const index of requiredPlaces) if ((cells[index] ?? '').trim() === '') note('variable_empty', index);

    const read = readPhone(cells[at.phone] ?? '');
    const phone = read.kind === 'phone' ? read.phone : null;
    const isUnwanted = at.doNotCall !== -1 && saysDoNotCall(cells[at.doNotCall] ?? '');
    if (isUnwanted) note('do_not_call', at.doNotCall, 'error');
    else if (read.kind === 'empty') note('phone_missing', at.phone === -1 ? null : at.phone, 'error');
    else if (read.kind === 'refused') note(read.code, at.phone, 'error');
    else if (read.warning !== null) note(read.warning, at.phone);

    const zoneKey = zoneOf(cells[at.timeZone] ?? '', phone, note);
    const priority = priorityOf(cells[at.priority] ?? '', note);
    const identifier = readIdentifier(cells[at.identifier] ?? '');
    if (identifier.fault !== null) note(identifier.fault.code, at.identifier, identifier.fault.level);
    return {
      state: stateOf(),
      phone,
      zoneKey,
      identifier: identifier.identifier,
      priority,
      findings: findings.length === 0 ? null : findings,
    };

    function stateOf(): ReadContact['state'] {
      if (isUnwanted) return 'do_not_call';
      if (read.kind === 'empty') return 'no_phone';
      return findings.some(({ level }) => level === 'error') ? 'invalid' : 'ok';
    }
  };

  function zoneOf(
    cell: string,
    phone: string | null,
    note: (code: FindingCode, index: number) => void,
  ): string {
    const written = cell.trim();
    const zone = written === '' ? null : zoneNamed(written);
    if (zone !== null) return zone;
    if (written !== '') note('zone_unknown', at.timeZone);
    return phone === null ? '' : zoneKeyOf(phone);
  }

  function priorityOf(cell: string, note: (code: FindingCode, index: number) => void): number {
    const written = cell.trim();
    if (written === '') return 0;
    if (/^[+-]?\d{1,9}$/.test(written)) return Number(written);
    note('priority_invalid', at.priority);
    return 0;
  }
}

/** A row whose text was cut is left out; other faults only matter where the phone is. */
function levelOfFlag(code: FindingCode, column: number | null, phoneColumn: number): CellFinding['level'] {
  if (code === 'cell_too_long') return 'error';
  return column === phoneColumn && (code === 'digits_lost' || code === 'text_damaged') ? 'error' : 'warning';
}

/** True when the reader of the file has named the failed formula already. */
function isFlagged(flags: RowToRead['flags'], index: number): boolean {
  return flags?.some(({ code, column }) => code === 'formula_error' && column === index) === true;
}

const zones = new Map<string, string | null>();

/** An IANA name in any case; files have few of them, in many rows. */
function zoneNamed(written: string): string | null {
  const known = zones.get(written);
  if (known !== undefined) return known;
  const zone =
    [written, ...(written.includes('/') ? [titled(written)] : [written.toUpperCase()])].find(isZone) ?? null;
  if (zones.size < maxZones) zones.set(written, zone);
  return zone;
}

const maxZones = 10_000;

/** `europe/berlin` is `Europe/Berlin`. */
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

/** What programs write for nothing. */
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
 * Whatever is no clear no: a date or a reason in that column is a wish not to be called. A lookup that found
 * nothing says that the contact is not on the list that it looked in; a formula that failed in another way
 * says nothing of it, and who may be on that list is not called.
 */
function saysDoNotCall(cell: string): boolean {
  const written = cell.trim().toLowerCase();
  // guarantee: lookup-found-nobody-keeps
  return !no.has(written) && !nothing.has(written) && !isNothingFound(cell);
}
