import type { Directory, UpdateDirectoryRequest } from '../../../../src/contract/directories.ts';

type Mapping = Directory['mapping'];

/**
 * What the columns were used for when a file with the same columns was checked last. Null if there was none, or if the
 * directory has the same mapping already.
 */
export function earlierMapping(
  { directory, columns }: { directory: Pick<Directory, 'id' | 'mapping'>; columns: readonly string[] },
  known: readonly Pick<Directory, 'id' | 'name' | 'state' | 'columns' | 'mapping' | 'imported_at'>[],
): { name: string; mapping: Mapping } | null {
  const [last] = known
    .filter(
      (each) =>
        each.id !== directory.id &&
        each.state === 'ready' &&
        each.imported_at !== null &&
        JSON.stringify(each.columns) === JSON.stringify(columns),
    )
    .toSorted((one, other) => (other.imported_at ?? '').localeCompare(one.imported_at ?? ''));
  if (last === undefined || textOf(last.mapping) === textOf(directory.mapping)) return null;
  return { name: last.name, mapping: last.mapping };
}

const textOf = (mapping: Mapping): string =>
  JSON.stringify(Object.entries(mapping).toSorted(([one], [other]) => one.localeCompare(other)));

/** A mapping as a change. A phone column cannot be taken away. */
export const mappingRequest = ({
  phone,
  ...mapping
}: Mapping): NonNullable<UpdateDirectoryRequest['mapping']> => ({
  ...mapping,
  ...(phone === null ? {} : { phone }),
});
