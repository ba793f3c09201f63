import type { Logger } from 'typeorm';

const nothing = (): void => undefined;

/**
 * TypeORM logs plain text to the console by default. It also throws every failure, which the caller logs
 * once.
 */
export const silentLogger: Logger = {
  logQuery: nothing,
  logQueryError: nothing,
  logQuerySlow: nothing,
  logSchemaBuild: nothing,
  logMigration: nothing,
  log: nothing,
};
