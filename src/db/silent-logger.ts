import type { Logger } from 'typeorm';

const nothing = (): void => undefined;

/**
 * TypeORM writes plain text to the console on its own account; whatever fails is thrown as well, and logged
 * once by whoever catches it.
 */
export const silentLogger: Logger = {
  logQuery: nothing,
  logQueryError: nothing,
  logQuerySlow: nothing,
  logSchemaBuild: nothing,
  logMigration: nothing,
  log: nothing,
};
