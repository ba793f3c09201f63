import { isObject, type JsonObject } from '../graph/definition.ts';

/**
 * The JSON object in a model's answer, which may have code fences and text around it. Null if there is none.
 */
export function findJsonObject(answer: string): JsonObject | null {
  const fenced = /```[a-z]*\s/i.exec(answer);
  const inFence =
    fenced === null ? '' : (answer.slice(fenced.index + fenced[0].length).split('```', 1)[0] ?? '');
  // The usual places of the object. Each is parsed only once, so that the work stays linear.
  const candidates = [
    answer,
    inFence,
    firstObject(answer),
    answer.slice(answer.indexOf('{'), answer.lastIndexOf('}') + 1),
  ];
  for (const candidate of candidates) {
    const value = parse(candidate.trim());
    if (isObject(value)) return value;
  }
  return null;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // not JSON
  }
}

/** The text from the first brace to the one that closes it, ignoring braces in quotes. */
function firstObject(text: string): string {
  const start = text.indexOf('{');
  if (start < 0) return '';
  let [depth, quoted] = [0, false];
  for (let index = start; index < text.length; index += 1) {
    const character = text[index];
    if (quoted && character === '\\') index += 1;
    else if (character === '"') quoted = !quoted;
    else if (!quoted && character === '{') depth += 1;
    else if (!quoted && character === '}') depth -= 1;
    if (depth === 0) return text.slice(start, index + 1);
  }
  return '';
}
