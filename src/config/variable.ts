import { ConfigError, type Config, type VariableName } from './env.ts';

/** Converts the value of a variable at start-up. Throws ConfigError that names the variable. */
export function readVariable<T>(name: VariableName, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw fault(name, error);
  }
}

/** Like `readVariable`, asynchronously. */
export async function openVariable<T>(name: VariableName, open: () => Promise<T>): Promise<T> {
  try {
    return await open();
  } catch (error) {
    throw fault(name, error);
  }
}

/** The variable that chooses the file storage, for errors of the storage. */
export function storageVariable({ storage }: Pick<Config, 'storage'>): VariableName {
  return storage.kind === 's3' ? 'PARLANCE_STORAGE_S3_BUCKET' : 'PARLANCE_FILES_DIRECTORY';
}

function fault(name: VariableName, error: unknown): ConfigError {
  return new ConfigError(
    `Configuration is not usable (see .env.example):\n  ${name}: ${error instanceof Error ? error.message : String(error)}`,
  );
}
