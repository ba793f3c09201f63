/** Maximum length of a function name for language models. */
const maxLength = 64;

/**
 * The function name of an edge: its label in lower case, with an underscore for every character outside
 * `a-z0-9` (contract 2.4).
 */
export function functionNameOf(label: string): string {
  return label.toLowerCase().replace(/[^a-z0-9]/gu, '_');
}

/**
 * The function name of a tool (contract 15.1): its name in lower case, with one underscore for each run of
 * other characters, none at the ends. A name without a Latin letter or digit becomes `tool_` and the
 * beginning of the tool's uuid.
 */
export function toolFunctionName({ name, uuid }: { name: string; uuid: string }): string {
  const plain = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/gu, '_')
    .replace(/^_|_$/g, '');
  return plain === '' ? `tool_${uuid.slice(0, 8)}` : plain;
}

/**
 * Makes names fit to be offered to the model: at most 64 characters and unique. Names that already fit stay
 * unchanged.
 */
export function offerableNames(names: readonly string[]): string[] {
  const taken = new Set(names.filter((name) => name.length <= maxLength));
  const given = new Set<string>();
  const counts = new Map<string, number>();
  return names.map((name) => {
    const offered = name.length > maxLength || given.has(name) ? freeName(name, taken, counts) : name;
    given.add(offered);
    taken.add(offered);
    return offered;
  });
}

/** Continues its count for the same beginning, so that the time stays linear in the number of long labels. */
function freeName(name: string, taken: ReadonlySet<string>, counts: Map<string, number>): string {
  const beginning = name.slice(0, maxLength);
  for (let count = counts.get(beginning) ?? 1; ; count += 1) {
    const ending = count === 1 ? '' : `_${count}`;
    const candidate = `${name.slice(0, maxLength - ending.length)}${ending}`;
    if (taken.has(candidate)) continue;
    counts.set(beginning, count + 1);
    return candidate;
  }
}
