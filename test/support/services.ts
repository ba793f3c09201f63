/** Where the real servers are that a test runs on. `npm test` provisions them and exports these variables. */
export interface TestServices {
  mariadbUrl: string;
  mysqlUrl: string;
  temporalAddress: string;
  temporalUiUrl: string;
}

/** Throws a sentence that says what to run when a variable is absent: a missing server is a failure, never a skip. */
export function testServices(environment: Record<string, string | undefined> = process.env): TestServices {
  const read = (name: string) => {
    const value = environment[name];
    if (value === undefined || value === '') throw new Error(`${name} is not set: this test needs a real server. Run npm test, which provisions it`);
    return value;
  };
  return {
    mariadbUrl: read('PARLANCE_TEST_MARIADB_URL'),
    mysqlUrl: read('PARLANCE_TEST_MYSQL_URL'),
    temporalAddress: read('PARLANCE_TEST_TEMPORAL_ADDRESS'),
    temporalUiUrl: read('PARLANCE_TEST_TEMPORAL_UI_URL'),
  };
}
