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

/**
 * Turns errors of the file system (full, read-only, missing) into UnavailableError; the operator has to fix
 * them.
 */
export async function onDisk<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw unavailable(error);
  }
}

export function unavailable(error: unknown): UnavailableError {
  return new UnavailableError('The file storage is unavailable or full', {
    dependency: 'storage',
    cause: error,
  });
}
