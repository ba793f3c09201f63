import { ConfigError, type Config, type VariableName } from './env.ts';

/**
 * What a composition root makes of a variable at start-up; its fault names the variable, as those of
 * `readConfig` do. Throws ConfigError.
 */
export function readVariable<T>(name: VariableName, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw fault(name, error);
  }
}

/** The same for what takes time. */
export async function openVariable<T>(name: VariableName, open: () => Promise<T>): Promise<T> {
  try {
    return await open();
  } catch (error) {
    throw fault(name, error);
  }
}

/** The variable that says where files are kept: what is wrong there is told by its name. */
export function storageVariable({ storage }: Pick<Config, 'storage'>): VariableName {
  return storage.kind === 's3' ? 'PARLANCE_STORAGE_S3_BUCKET' : 'PARLANCE_FILES_DIRECTORY';
}

function fault(name: VariableName, error: unknown): ConfigError {
  return new ConfigError(
    `Configuration is not usable (see .env.example):\n  ${name}: ${error instanceof Error ? error.message : String(error)}`,
  );
}
