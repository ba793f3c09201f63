import type { DirectoryPreview } from '../../../contract/directories.ts';
import { createContactReader } from '../../../domain/directory/read-contact.ts';
import { createRowJudge } from '../../../domain/directory/row-judge.ts';
import type { Reading } from '../../../domain/directory/reading.ts';
import { zoneKeyOfPhone } from '../../../domain/phone/zones.ts';
import type { FileRow } from '../../../providers/contact-files/port.ts';
import type { ServiceContext } from '../../kernel/index.ts';
import { carriedMapping, requireColumns } from './check-mapping.ts';
import type { DirectoryDeps } from './deps.ts';
import { findDirectory, inspectFile, storedFile } from './internal.ts';
import { toMapping, toPreviewRow, toReading } from './mapper.ts';
import { wishOf } from './update.ts';

interface PreviewInput {
  directoryId: number;
  /** Instead of the stored reading. */
  reading: Partial<Reading>;
  phone?: string | undefined;
  defaultCountry?: string | undefined;
}

/**
 * Shows the first rows as they would be read, and changes nothing. Throws NotFoundError, PreconditionError
 * (400) if the reading does not fit the file, UnavailableError without a storage.
 */
export async function previewDirectory({
  ctx,
  deps,
  input: { directoryId, reading: wished, phone, defaultCountry },
}: {
  ctx: ServiceContext;
  deps: DirectoryDeps;
  input: PreviewInput;
}): Promise<DirectoryPreview> {
  const row = await findDirectory(ctx.db.manager, ctx, directoryId);
  const { kind, reading, choices, columns, preview, above, warnings } = await inspectFile(
    deps,
    storedFile(deps, row),
    wishOf(row.reading, wished),
  );
  const mapping = {
    ...carriedMapping(row.mapping, columns),
    ...(phone === undefined ? {} : { phone }),
    ...(defaultCountry === undefined ? {} : { defaultCountry }),
  };
  requireColumns(mapping, columns);
  const readContact = createContactReader({ columns, mapping, zoneKeyOf: zoneKeyOfPhone });
  const judge = createRowJudge('all');
  const shown = (each: FileRow) => {
    const contact = mapping.phone === '' ? unread : readContact(each);
    const { state } = judge.judge(contact, each.rowNumber);
    return toPreviewRow({ ...contact, state, line: each.line, rowNumber: each.rowNumber, cells: each.cells });
  };
  return {
    kind,
    reading: toReading(reading),
    choices: {
      encodings: choices.encodings,
      separators: choices.separators,
      sheets: choices.sheets.map(({ name, isHidden }) => ({ name, is_hidden: isHidden })),
    },
    columns,
    mapping: toMapping(mapping),
    above,
    rows: preview.map(shown),
    warnings,
  };
}

/** The phone column is not chosen yet. */
const unread = {
  state: 'no_phone' as const,
  phone: null,
  zoneKey: '',
  identifier: null,
  priority: 0,
  findings: null,
};
