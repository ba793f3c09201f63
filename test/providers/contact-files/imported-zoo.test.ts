import { describe, expect, test } from '@jest/globals';
import { createRowJudge } from '../../../src/domain/directory/row-judge.ts';
import { suggestMapping } from '../../../src/domain/directory/suggest-mapping.ts';
import { noTotals } from '../../../src/domain/directory/totals.ts';
import { createContactFiles } from '../../../src/providers/contact-files/contact-files.ts';
import { createRowReader } from '../../../src/services/contacts/directories/read-rows.ts';
import { storedFile } from '../../support/contact-file-bytes.ts';
import { type Kind, type Refused, type Said, zoo } from '../../support/contact-file-zoo.ts';

const files = createContactFiles();

async function imported({ file, mapping = {}, reading: wished = {} }: Kind) {
  const stored = storedFile(await file, 65_536);
  const inspection = await files.inspect(stored, wished);
  if (inspection.kind === 'refused') return { refused: [inspection.code, inspection.message] };
  const { reading, columns, warnings } = inspection;
  const reader = createRowReader({
    columns,
    mapping: { ...suggestMapping(columns), ...mapping },
    totals: { ...noTotals, findings: {}, emptyCells: [] },
    zoneKeyOf: () => '',
  });
  const judge = createRowJudge(mapping.duplicates ?? 'first');
  const rows: string[] = [];
  let cells: string[] = [];
  for await (const batch of files.rows(stored, reading)) {
    for (const row of batch) {
      const contact = reader.read(row, judge);
      if (contact === null) continue;
      if (rows.length === 0) ({ cells } = row);
      const codes = (contact.findings ?? []).map(({ code }) => code);
      rows.push([contact.state, contact.phone, ...codes].filter((each) => each !== null).join(' '));
    }
  }
  return { rows, cells, columns, reading, warnings };
}

const matching = (words: RegExp): unknown => expect.stringMatching(words);

/** What the outcome has to match. */
const outcomeOf = (said: Said | Refused): object =>
  'refused' in said
    ? { refused: [said.refused[0], matching(said.refused[1])] }
    : { rows: [], ...said, warnings: (said.warnings ?? []).map(matching) };

describe('an ugly contact file is imported, or refused, as the table says', () => {
  test.each(Object.entries(zoo))('%s', async (_, [kind, said]) => {
    expect(await imported(kind)).toMatchObject(outcomeOf(said));
  });

  test('of at least 57 kinds', () => {
    expect(Object.keys(zoo).length).toBeGreaterThanOrEqual(57);
  });
});
