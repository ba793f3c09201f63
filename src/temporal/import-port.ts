import type { ImportInput } from '../workflows/import/messages.ts';

export type { ImportInput } from '../workflows/import/messages.ts';

/**
 * Runs imports of contact files. Each method throws UnavailableError('temporal') when Temporal cannot be
 * reached.
 */
export interface ImportRuns {
  /** Starts an import, or finds the running one; `over` if this import has already ended. */
  start: (input: ImportInput) => Promise<'runs' | 'over'>;
  /** Asks an import to stop; `gone` if it has ended or does not exist. */
  cancel: (directoryUuid: string, importNumber: number) => Promise<'asked' | 'gone'>;
}
