import { optOuts, type OptOut } from '../call/opt-out.ts';
import type { WrittenLine } from '../speech/written-line.ts';
import { own, ownObject, ownText, type JsonObject } from '../graph/definition.ts';
import { asksResolver } from '../telephony/transfer-destination.ts';
import { modelParameters, type Parameter } from './parameters.ts';

/** Types of tools that a call can offer to the model. Other types are stored but not offered. */
const offered: ReadonlySet<unknown> = new Set([
  'http_api',
  'end_call',
  'calculator',
  'transfer_call',
  'native',
]);

const reasonMeaning = 'Why the call ends, in a few words.';

/** The arguments of a tool as JSON Schema, or null for a tool that is not offered (contract 15.1). */
export function toolParameters(definition: JsonObject): Record<string, unknown> | null {
  const [type, config] = [own(definition, 'type'), ownObject(definition, 'config')];
  if (!offered.has(type)) return null;
  if (type === 'native') return nativeAction(definition) === null ? null : objectOf([], []);
  if (type === 'calculator')
    return objectOf(
      [
        [
          'expression',
          { type: 'string', description: 'Arithmetic with numbers and + - * / % ^ ( ), as in (3 + 4) * 2.' },
        ],
      ],
      ['expression'],
    );
  if (type === 'end_call') {
    if (own(config, 'endCallReason') !== true) return objectOf([], []);
    return objectOf(
      [
        [
          'reason',
          { type: 'string', description: ownText(config, 'endCallReasonDescription') ?? reasonMeaning },
        ],
      ],
      ['reason'],
    );
  }
  // For a transfer with a resolver, the model fills in the resolver's parameters.
  const source = type === 'transfer_call' && asksResolver(config) ? ownObject(config, 'resolver') : config;
  const parameters = modelParameters(source);
  return objectOf(
    parameters.map((each) => [each.name, schemaOf(each)]),
    parameters.filter(({ isRequired }) => isRequired).map(({ name }) => name),
  );
}

/** What a built-in tool does; null for any other tool. */
export function nativeAction(definition: JsonObject): OptOut | null {
  return own(definition, 'type') === 'native'
    ? (optOuts.find((action) => action === own(ownObject(definition, 'config'), 'action')) ?? null)
    : null;
}

/** When the model should use a built-in tool that has no description of its own; null for other tools. */
export function toolMeaning(definition: JsonObject): string | null {
  const action = nativeAction(definition);
  return action === null ? null : nativeMeanings[action];
}

/** The opt-out tool that calls of campaigns offer at every node, so that any agent honors an opt-out. */
export const builtInOptOut = {
  toolUuid: 'built_in:do_not_call',
  name: 'do_not_call',
  definition: { type: 'native', config: { action: 'do_not_call' } },
} as const;

const nativeMeanings: Readonly<Record<OptOut, string>> = {
  do_not_call:
    'Call this at once when the person says, in whatever words, that they do not want to be called again. Then confirm it to them.',
  wrong_number:
    'Call this at once when it turns out that this number does not belong to whom the call is for. Then apologize.',
};

function objectOf(properties: [string, JsonObject][], required: string[]): Record<string, unknown> {
  return {
    type: 'object',
    properties: Object.fromEntries(properties),
    ...(required.length === 0 ? {} : { required }),
  };
}

function schemaOf({ type, declared }: Parameter): JsonObject {
  return {
    type,
    ...(type === 'array' ? { items: {} } : {}),
    description: ownText(declared, 'description') ?? '',
  };
}

/** The line to speak when the tool is called, whose text is a template; null when there is none. */
export function spokenWith(definition: JsonObject): WrittenLine | null {
  const [type, config] = [own(definition, 'type'), ownObject(definition, 'config')];
  const isOfLine = type === 'end_call' || type === 'transfer_call';
  const [kind, recordingId] = isOfLine
    ? [own(config, 'messageType'), ownText(config, 'audioRecordingId')]
    : [own(config, 'customMessageType'), ownText(config, 'customMessageRecordingId')];
  if (kind === 'audio')
    return recordingId === undefined || recordingId === '' ? null : { kind: 'audio', recordingId };
  const text = ownText(config, 'customMessage') ?? '';
  const isSpoken = type === 'http_api' || (isOfLine && kind === 'custom');
  return isSpoken && text.trim() !== '' ? { kind: 'text', text } : null;
}
