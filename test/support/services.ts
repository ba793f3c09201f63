/** Where the real servers are that a test runs on. `npm test` provisions them and exports these variables. */
export interface TestServices {
  mariadbUrl: string;
  mysqlUrl: string;
  temporalAddress: string;
  temporalUiUrl: string;
}

/** Throws a sentence that says what to run when a variable is absent: a missing server is a failure, never a skip. */
export function testServices(environment: Environment = process.env): TestServices {
  return {
    mariadbUrl: read(environment, 'PARLANCE_TEST_MARIADB_URL'),
    mysqlUrl: read(environment, 'PARLANCE_TEST_MYSQL_URL'),
    temporalAddress: read(environment, 'PARLANCE_TEST_TEMPORAL_ADDRESS'),
    temporalUiUrl: read(environment, 'PARLANCE_TEST_TEMPORAL_UI_URL'),
  };
}

/** Programs of the servers that a test starts and kills itself. Throws as `testServices` does. */
export function testPrograms(environment: Environment = process.env): { mariadb: string; temporal: string } {
  return { mariadb: read(environment, 'PARLANCE_TEST_MARIADB_PROGRAM'), temporal: read(environment, 'PARLANCE_TEST_TEMPORAL_PROGRAM') };
}

type Environment = Record<string, string | undefined>;

function read(environment: Environment, name: string): string {
  const value = environment[name];
  if (value === undefined || value === '') throw new Error(`${name} is not set: this test needs a real server. Run npm test, which provisions it`);
  return value;
}
