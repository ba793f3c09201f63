/**
 * The filter language of the list of calls. A text such as `outcome:voicemail dur:>60 agent:"Reminder"` is
 * the page's `q`, the chips of its filter bar, and the `filters` of the API (contract 6.2).
 */

import { dayAfter, dayOf, startOfDay } from '../../app/days.ts';
import { ownZone } from '../../app/zone.ts';

export const fieldNames = [
  'agent',
  'outcome',
  'dur',
  'status',
  'channel',
  'direction',
  'number',
  'tag',
  'campaign',
  'call',
  'date',
  'after',
  'before',
] as const;
export type Field = (typeof fieldNames)[number];

/** How a field is written, and whether it may stand more than once. */
const fields: Record<Field, { isMany: boolean; values?: readonly string[] }> = {
  agent: { isMany: false },
  outcome: { isMany: true },
  dur: { isMany: false },
  status: { isMany: false, values: ['live', 'ended'] },
  channel: { isMany: false, values: ['phone', 'web', 'text'] },
  direction: { isMany: false, values: ['in', 'out'] },
  number: { isMany: false },
  tag: { isMany: true },
  campaign: { isMany: false },
  call: { isMany: false },
  date: { isMany: false, values: ['today', '7d', '30d'] },
  after: { isMany: false },
  before: { isMany: false },
};

export interface Filter {
  field: Field;
  value: string;
}

/** A part of the text that cannot be read as a filter, and the reason. */
export interface FilterFault {
  text: string;
  reason: 'words' | 'field' | 'value' | 'agent';
  /** What may stand there. */
  expected: string;
}

export interface ParsedFilters {
  filters: readonly Filter[];
  faults: readonly FilterFault[];
}

const bounds = /^(?:(>=?|<=?)(\d+)|(\d+)\.\.(\d+))$/;
const day = /^20\d\d-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/;

/** What a value of a field looks like, for messages. Null if any text will do. */
const forms: Partial<Record<Field, { form: RegExp; example: string }>> = {
  dur: { form: bounds, example: 'dur:>60, dur:<300, dur:60..300' },
  number: { form: /\d{3}/, example: 'number:+1202' },
  campaign: { form: /^\d{1,15}$/, example: 'campaign:7' },
  call: { form: /^\d{1,15}$/, example: 'call:1204' },
  after: { form: day, example: 'after:2026-11-20' },
  before: { form: day, example: 'before:2026-11-23' },
  date: { form: /^(today|7d|30d|20\d\d-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01]))$/, example: 'date:7d' },
};

/** Reads a text. A later value of a field that stands once replaces the earlier one. */
export function parseFilters(text: string): ParsedFilters {
  let filters: Filter[] = [];
  const faults: FilterFault[] = [];
  for (const part of partsOf(text)) {
    const [, name, quoted, plain] = /^(\w+):(?:"([^"]*)"?|(.*))$/.exec(part) ?? [];
    const value = (quoted ?? plain ?? '').trim();
    const known = fieldNames.find((each) => each === name?.toLowerCase());
    if (name === undefined) {
      // A bare number is what people paste.
      if (/^\+?[\d\s().-]{5,}$/.test(part)) filters = withFilter(filters, { field: 'number', value: part });
      else faults.push({ text: part, reason: 'words', expected: fieldNames.join(', ') });
    } else if (known === undefined)
      faults.push({ text: part, reason: 'field', expected: fieldNames.join(', ') });
    else if (!isValue(known, value))
      faults.push({ text: part, reason: 'value', expected: expectedOf(known) });
    else filters = withFilter(filters, { field: known, value });
  }
  return { filters, faults };
}

/** Words with quotation marks around a value that has blanks. */
const partsOf = (text: string): string[] => text.match(/\w+:"[^"]*"?|\S+/g) ?? [];

function isValue(field: Field, value: string): boolean {
  const form = forms[field];
  if (form !== undefined) return form.form.test(value);
  return fields[field].values?.includes(value) ?? value !== '';
}

const expectedOf = (field: Field): string =>
  forms[field]?.example ??
  fields[field].values?.map((value) => `${field}:${value}`).join(', ') ??
  `${field}:…`;

/** The filters with another one. */
export function withFilter(filters: readonly Filter[], added: Filter): Filter[] {
  const isAbsolute = added.field === 'after' || added.field === 'before';
  const kept = filters.filter(({ field, value }) => {
    if (field === 'date' && isAbsolute) return false;
    if ((field === 'after' || field === 'before') && added.field === 'date') return false;
    if (field !== added.field) return true;
    return fields[field].isMany && value !== added.value;
  });
  return [...kept, added];
}

export const withoutFilter = (filters: readonly Filter[], removed: Filter): Filter[] =>
  filters.filter(({ field, value }) => field !== removed.field || value !== removed.value);

export const hasFilter = (filters: readonly Filter[], wanted: Filter): boolean =>
  filters.some(({ field, value }) => field === wanted.field && value === wanted.value);

/** The text of filters, which reads back as the same filters. */
export const formatFilters = (filters: readonly Filter[]): string =>
  filters
    .map(({ field, value }) => `${field}:${/[\s"]/.test(value) ? `"${value.replaceAll('"', '')}"` : value}`)
    .join(' ');

export interface Agent {
  id: number;
  name: string;
}

/** The agent of a filter's value: its name in any case, or its id. */
export const agentOf = (value: string, agents: readonly Agent[]): Agent | undefined =>
  agents.find(({ name }) => name.toLowerCase() === value.toLowerCase()) ??
  agents.find(({ id }) => String(id) === value);

export interface ApiFilters {
  /** Value of `filters`; undefined if nothing is filtered. */
  text: string | undefined;
  /** Filters that name nothing that exists. */
  faults: readonly FilterFault[];
}

interface ApiFilter {
  attribute: string;
  type: string;
  value: Record<string, unknown>;
}

/** The API's filters (contract 6.2). Days are those of the organization's zone. */
export function apiFilters(
  filters: readonly Filter[],
  { agents, now, zone = ownZone }: { agents: readonly Agent[]; now: Date; zone?: string },
): ApiFilters {
  const faults: FilterFault[] = [];
  const sent: ApiFilter[] = [];
  const all = (wanted: Field) => filters.filter(({ field }) => field === wanted).map(({ value }) => value);
  const one = (wanted: Field) => all(wanted)[0];
  const add = (attribute: string, type: string, value: Record<string, unknown>) =>
    sent.push({ attribute, type, value });

  const agent = one('agent');
  if (agent !== undefined) {
    const found = agentOf(agent, agents);
    if (found === undefined)
      faults.push({
        text: `agent:${agent}`,
        reason: 'agent',
        expected: agents
          .slice(0, 5)
          .map(({ name }) => name)
          .join(', '),
      });
    // An id that no agent has, so that the list is empty rather than unfiltered.
    add('workflowId', 'number', { value: found?.id ?? 0 });
  }
  if (all('outcome').length > 0) add('dispositionCode', 'multiSelect', { codes: all('outcome') });
  if (all('tag').length > 0) add('callTags', 'multiSelect', { codes: all('tag') });
  const length = one('dur');
  if (length !== undefined) add('duration', 'numberRange', lengthOf(length));
  const status = one('status');
  if (status !== undefined)
    add('status', 'radio', { status: status === 'live' ? 'in_progress' : 'completed' });
  const channel = one('channel');
  if (channel !== undefined) add('callChannel', 'radio', { status: channelOf(channel) });
  const direction = one('direction');
  if (direction !== undefined)
    add('callDirection', 'radio', { status: direction === 'in' ? 'inbound' : 'outbound' });
  const number = one('number');
  // The person's number is the one that was called, or that called us (contract 6.4).
  if (number !== undefined)
    add(direction === 'in' ? 'callerNumber' : 'calledNumber', 'text', {
      value: number.replaceAll(/[^\d]/g, ''),
    });
  const campaign = one('campaign');
  if (campaign !== undefined) add('campaignId', 'number', { value: Number(campaign) });
  const call = one('call');
  if (call !== undefined) add('runId', 'number', { value: Number(call) });
  const range = rangeOfFilters(filters, now, zone);
  // A moment becomes its ISO text.
  if (range !== null) add('dateRange', 'dateRange', { ...range });
  return { text: sent.length === 0 ? undefined : JSON.stringify(sent), faults };
}

const channelOf = (channel: string): string =>
  channel === 'phone' ? 'telephony' : channel === 'text' ? 'chat' : 'web';

/** The bounds of a length in seconds. Absent if it is open. */
export function lengthOf(text: string): { min?: number; max?: number } {
  const [, sign, bound, from, to] = bounds.exec(text) ?? [];
  if (from !== undefined && to !== undefined) return { min: Number(from), max: Number(to) };
  if (bound === undefined) return {};
  return sign?.startsWith('>') === true ? { min: Number(bound) } : { max: Number(bound) };
}

/** The time that the filters choose, both ends included; an end that is absent is open. Null if they name none. */
export function rangeOfFilters(
  filters: readonly Filter[],
  now: Date,
  zone = ownZone,
): { from?: Date; to?: Date } | null {
  const one = (wanted: Field) => filters.find(({ field }) => field === wanted)?.value;
  const [date, after, before] = [one('date'), one('after'), one('before')];
  const startOf = (text: string, shift = 0): Date => startOfDay(dayAfter(text, shift), zone);
  const today = (shift: number) => startOf(dayOf(now, zone), shift);
  if (date === 'today') return { from: today(0) };
  if (date === '7d') return { from: today(-6) };
  if (date === '30d') return { from: today(-29) };
  if (date !== undefined) return { from: startOf(date), to: lastMoment(startOf(date, 1)) };
  if (after === undefined && before === undefined) return null;
  return {
    ...(after === undefined ? {} : { from: startOf(after) }),
    ...(before === undefined ? {} : { to: lastMoment(startOf(before)) }),
  };
}

/** The API's ranges include both ends. */
const lastMoment = (end: Date): Date => new Date(end.getTime() - 1);
