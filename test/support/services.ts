/** Addresses of the real servers for tests. `npm test` provisions them and exports these variables. */
export interface TestServices {
  mariadbUrl: string;
  mysqlUrl: string;
  temporalAddress: string;
  temporalUiUrl: string;
}

/**
 * Throws a sentence that says what to run when a variable is missing: a missing server is a failure, never a
 * skip.
 */
export function testServices(environment: Environment = process.env): TestServices {
  return {
    mariadbUrl: read(environment, 'PARLANCE_TEST_MARIADB_URL'),
    mysqlUrl: read(environment, 'PARLANCE_TEST_MYSQL_URL'),
    temporalAddress: read(environment, 'PARLANCE_TEST_TEMPORAL_ADDRESS'),
    temporalUiUrl: read(environment, 'PARLANCE_TEST_TEMPORAL_UI_URL'),
  };
}

/** Programs of servers that a test starts and kills itself. Throws like `testServices`. */
export function testPrograms(environment: Environment = process.env): { mariadb: string; temporal: string } {
  return {
    mariadb: read(environment, 'PARLANCE_TEST_MARIADB_PROGRAM'),
    temporal: read(environment, 'PARLANCE_TEST_TEMPORAL_PROGRAM'),
  };
}

/**
 * The published clients: the folder whose `node_modules` contains the npm client, and the Python with the
 * PyPI client. Throws like `testServices`.
 */
export function publishedClients(environment: Environment = process.env): { node: string; python: string } {
  return {
    node: read(environment, 'PARLANCE_TEST_NODE_CLIENT'),
    python: read(environment, 'PARLANCE_TEST_PYTHON_CLIENT'),
  };
}

/** The Python that has the published command-line client. Throws as `testServices` does. */
export const commandLinePython = (environment: Environment = process.env): string =>
  read(environment, 'PARLANCE_TEST_COMMAND_LINE');

/** The Python that has Schemathesis. Throws as `testServices` does. */
export const schemathesisPython = (environment: Environment = process.env): string =>
  read(environment, 'PARLANCE_TEST_SCHEMATHESIS');

type Environment = Record<string, string | undefined>;

function read(environment: Environment, name: string): string {
  const value = environment[name];
  if (value === undefined || value === '')
    throw new Error(`${name} is not set: this test needs it. Run npm test, which provisions it`);
  return value;
}
