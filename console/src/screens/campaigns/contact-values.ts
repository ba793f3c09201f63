import type { AnswerOf } from '../../../../src/contract/client-types.ts';
import {
  type Definition,
  type JsonObject,
  nodesOf,
  own,
  ownObject,
  ownText,
} from '../../../../src/domain/graph/definition.ts';
import { nowDate } from '../../app/clock.ts';
import { renderedLine } from '../../graph/rendered.ts';
import { valuesOfRow } from '../editor/rail/row-values.ts';

type Mapping = AnswerOf<'get', '/directories/{directory_id}'>['mapping'];

/** The values of a contact's call, with the first line that the file gives it. */
export function contextOf(
  columns: readonly string[],
  mapping: Mapping,
  contact: Parameters<typeof valuesOfRow>[2],
): JsonObject {
  const cell = (name: string | null | undefined) =>
    name == null ? '' : (contact.cells[columns.indexOf(name)] ?? '').trim();
  const opening = mapping.opening_line;
  const type = cell(opening?.type).toLowerCase();
  const [text, recording] = [cell(opening?.text), cell(opening?.recording_id)];
  return {
    ...valuesOfRow(columns, mapping, contact),
    ...(type === 'text' && text !== '' ? { greeting_override: { type, text } } : {}),
    ...(type === 'audio' && recording !== '' ? { greeting_override: { type, recording_id: recording } } : {}),
  };
}

export type FirstLine = { kind: 'text'; text: string } | { kind: 'recording' } | { kind: 'model' };

/** What a contact hears first: a written line, a recording, or what the model says. */
export function firstLineOf(definition: Definition, values: JsonObject, now = nowDate()): FirstLine {
  const start = nodesOf(definition).find((node) => own(node, 'type') === 'startCall') ?? {};
  const data = ownObject(start, 'data');
  const given = ownObject(values, 'greeting_override');
  const isGiven = own(given, 'type') !== undefined;
  if (own(isGiven ? given : data, isGiven ? 'type' : 'greeting_type') === 'audio')
    return { kind: 'recording' };
  const written = (isGiven ? ownText(given, 'text') : ownText(data, 'greeting')) ?? '';
  const text = renderedLine(written, { values, now }).trim();
  return text === '' ? { kind: 'model' } : { kind: 'text', text };
}
