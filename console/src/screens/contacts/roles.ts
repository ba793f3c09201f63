import type { DirectoryPreview, UpdateDirectoryRequest } from '../../../../src/contract/directories.ts';

export type Mapping = DirectoryPreview['mapping'];
export type MappingChange = NonNullable<UpdateDirectoryRequest['mapping']>;

/** What a column may be: something that the service uses itself, a variable, or nothing. */
export const roles = [
  'variable',
  'phone',
  'identifier',
  'time_zone',
  'do_not_call',
  'priority',
  'opening_type',
  'opening_text',
  'opening_recording',
  'skip',
] as const;
export type Role = (typeof roles)[number];

/** What a column is at present. */
export function roleOf(column: string, mapping: Mapping): Role {
  if (mapping.phone === column) return 'phone';
  if (mapping.identifier === column) return 'identifier';
  if (mapping.opening_line?.type === column) return 'opening_type';
  if (mapping.opening_line?.text === column) return 'opening_text';
  if (mapping.opening_line?.recording_id === column) return 'opening_recording';
  if (mapping.skipped.includes(column)) return 'skip';
  if (mapping.time_zone === column) return 'time_zone';
  if (mapping.do_not_call === column) return 'do_not_call';
  if (mapping.priority === column) return 'priority';
  return 'variable';
}

/** The column that has a role at present, if one can have it. */
export function columnWith(role: Role, mapping: Mapping): string | null {
  switch (role) {
    case 'phone':
    case 'identifier':
    case 'time_zone':
    case 'do_not_call':
    case 'priority':
      return mapping[role];
    case 'opening_type':
      return mapping.opening_line?.type ?? null;
    case 'opening_text':
      return mapping.opening_line?.text ?? null;
    case 'opening_recording':
      return mapping.opening_line?.recording_id ?? null;
    case 'variable':
    case 'skip':
      return null;
  }
}

/**
 * Why a column cannot get a role, or null if it can. The phone column stays one until another column takes its
 * place, and an opening line needs the column that says its type.
 */
export function roleBlocked(column: string, role: Role, mapping: Mapping): 'phone' | 'opening' | null {
  if (mapping.phone === column && role !== 'phone') return 'phone';
  const needsType = role === 'opening_text' || role === 'opening_recording';
  const type = mapping.opening_line?.type;
  return needsType && (type === undefined || type === column) ? 'opening' : null;
}

/** The change of the mapping that gives a column a role, and takes its present one from it. */
export function mappingFor(column: string, role: Role, mapping: Mapping): MappingChange {
  const present = roleOf(column, mapping);
  if (present === role) return {};
  const skipped = mapping.skipped.filter((each) => each !== column);
  const opening = openingFor(column, role, mapping);
  return {
    ...(present === 'identifier' ? { identifier: null } : {}),
    ...(mapping.time_zone === column ? { time_zone: null } : {}),
    ...(mapping.do_not_call === column ? { do_not_call: null } : {}),
    ...(mapping.priority === column ? { priority: null } : {}),
    ...(opening === undefined ? {} : { opening_line: opening }),
    ...(role === 'skip' ? { skipped: [...skipped, column] } : present === 'skip' ? { skipped } : {}),
    ...(role === 'phone' ||
    role === 'identifier' ||
    role === 'time_zone' ||
    role === 'do_not_call' ||
    role === 'priority'
      ? { [role]: column }
      : {}),
  };
}

/** The opening line after the change. Undefined if it stays as it is. */
function openingFor(
  column: string,
  role: Role,
  { opening_line: now }: Mapping,
): Mapping['opening_line'] | undefined {
  const free = (value: string | null | undefined) => (value === column ? null : (value ?? null));
  const next = {
    type: role === 'opening_type' ? column : free(now?.type),
    text: role === 'opening_text' ? column : free(now?.text),
    recording_id: role === 'opening_recording' ? column : free(now?.recording_id),
  };
  const type = next.type;
  const kept = type === null ? null : { ...next, type };
  return JSON.stringify(kept) === JSON.stringify(now) ? undefined : kept;
}
