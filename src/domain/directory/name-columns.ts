/**
 * Unique names of a file's columns: trimmed, with their case kept (contract 11.2). A column without a name is
 * named by its position (`column_7`). A name that occurred before gets `_2`.
 */
export function nameColumns(header: readonly string[]): string[] {
  const written = header.map((cell) =>
    cell
      .normalize('NFC')
      .replaceAll(/[\s\u200B-\u200F\uFEFF]+/g, ' ')
      .trim(),
  );
  const taken = new Set(written);
  const used = new Set<string>();
  return written.map((name, index) => {
    const wanted = name === '' ? `column_${index + 1}` : name;
    if (!used.has(wanted) && (name !== '' || !taken.has(wanted))) return keep(wanted, used);
    let number = 2;
    while (used.has(`${wanted}_${number}`) || taken.has(`${wanted}_${number}`)) number += 1;
    return keep(`${wanted}_${number}`, used);
  });
}

function keep(name: string, used: Set<string>): string {
  used.add(name);
  return name;
}
