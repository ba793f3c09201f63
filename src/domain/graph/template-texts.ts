import {
  type Definition,
  edgesOf,
  isObject,
  type JsonObject,
  nodesOf,
  own,
  ownList,
  ownObject,
  ownText,
} from './definition.ts';
import { isConversationKind } from './node-kinds.ts';

/** A text of a graph whose placeholders are rendered (contract 7.4). */
export interface TemplateText {
  kind: 'node' | 'edge';
  item: JsonObject;
  /** Path in the node's data (without `data.`) or in the edge (with it). */
  field: string;
  text: string;
  /** `prompt` knows initial_context alone, `payload` the names of contract 9.2. */
  place: 'prompt' | 'payload';
}

/** Every text that is rendered, in graph order: nodes, then edges. */
export function templateTexts(definition: Definition): TemplateText[] {
  const ofNodes = nodesOf(definition).flatMap((item) => {
    const [type, data] = [own(item, 'type'), ownObject(item, 'data')];
    if (type === 'webhook')
      return textsIn(own(data, 'payload_template'), 'payload_template').map(
        ([field, text]): TemplateText => ({ kind: 'node', item, field, text, place: 'payload' }),
      );
    const fields = isConversationKind(type) ? conversationTexts(data) : [];
    const all = type === 'globalNode' ? textsIn(own(data, 'prompt'), 'prompt') : fields;
    return all.map(([field, text]): TemplateText => ({ kind: 'node', item, field, text, place: 'prompt' }));
  });
  const ofEdges = edgesOf(definition).flatMap((item) => {
    const data = ownObject(item, 'data');
    const spoken =
      ownText(data, 'transition_speech_type') === 'audio' ? undefined : own(data, 'transition_speech');
    return textsIn(spoken, 'data.transition_speech').map(([field, text]): TemplateText => ({
      kind: 'edge',
      item,
      field,
      text,
      place: 'prompt',
    }));
  });
  return [...ofNodes, ...ofEdges];
}

type Placed = [field: string, text: string];

function conversationTexts(data: JsonObject): Placed[] {
  const greeting = own(data, 'greeting_type') === 'audio' ? undefined : own(data, 'greeting');
  return [
    ...textsIn(own(data, 'prompt'), 'prompt'),
    ...textsIn(greeting, 'greeting'),
    ...textsIn(own(data, 'extraction_prompt'), 'extraction_prompt'),
    ...ownList(data, 'extraction_variables').flatMap((each, index) =>
      isObject(each) ? textsIn(own(each, 'prompt'), `extraction_variables.${index}.prompt`) : [],
    ),
  ];
}

/** The texts of a value with their paths; keys of objects are texts too, but have no path of their own. */
function textsIn(value: unknown, path: string): Placed[] {
  if (typeof value === 'string') return [[path, value]];
  if (Array.isArray(value)) return value.flatMap((each: unknown, index) => textsIn(each, `${path}.${index}`));
  return isObject(value)
    ? Object.entries(value).flatMap(([key, each]) => textsIn(each, `${path}.${key}`))
    : [];
}
