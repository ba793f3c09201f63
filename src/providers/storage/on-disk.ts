import { UnavailableError } from '../../domain/errors.ts';

export function isAbsent(error: unknown): boolean {
  return (
    typeof error === 'object' &&
    error !== null &&
    'code' in error &&
    (error.code === 'ENOENT' || error.code === 'ENOTDIR')
  );
}

export function nullWhenAbsent(error: unknown): null {
  if (isAbsent(error)) return null;
  throw error;
}

/** What a file system refuses is the operator's to mend: full, read-only, gone. */
export async function onDisk<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw away(error);
  }
}

export function away(error: unknown): UnavailableError {
  return new UnavailableError('The file storage is away or full', { dependency: 'storage', cause: error });
}
