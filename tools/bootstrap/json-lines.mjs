/** The value of `name` in the JSON line of an output that has it, between lines for people; else undefined. */
export function lineWith(output, name) {
  return output
    .split('\n')
    .map(parseLine)
    .find((line) => line?.[name] !== undefined)?.[name];
}

function parseLine(line) {
  try {
    return JSON.parse(line);
  } catch {
    return null; // a line for people
  }
}
