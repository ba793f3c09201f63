import { isObject, own, ownList, ownText, type JsonObject } from '../graph/definition.ts';

/** A parameter that a tool, or the resolver of a transfer, declares. */
export interface Parameter {
  name: string;
  type: string;
  isRequired: boolean;
  /** As it is stored. */
  declared: JsonObject;
}

/** Arguments that the model fills in. A name that is also a preset parameter belongs to the preset. */
export function modelParameters(source: JsonObject): Parameter[] {
  const presets = new Set(presetParameters(source).map(({ name }) => name));
  // guarantee: preset-never-filled-by-model
  return parametersOf(source, 'parameters').filter(({ name }) => !presets.has(name));
}

/** Arguments that the service fills in. */
export function presetParameters(source: JsonObject): Parameter[] {
  return parametersOf(source, 'preset_parameters');
}

function parametersOf(source: JsonObject, key: string): Parameter[] {
  return ownList(source, key)
    .filter(isObject)
    .map((declared) => ({
      name: (ownText(declared, 'name') ?? '').trim(),
      type: ownText(declared, 'type') ?? 'string',
      isRequired: own(declared, 'required') !== false,
      declared,
    }))
    .filter(({ name }) => name !== '');
}
