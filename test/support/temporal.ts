import type { DataConverter } from '@temporalio/common';
import { createTemporalClient, type TemporalClient } from '../../src/temporal/connection.ts';

/** Address of the Temporal server of this test run; `npm test` provides one. */
export function temporalTestAddress(): string {
  const address = process.env['PARLANCE_TEST_TEMPORAL_ADDRESS'];
  if (address === undefined || address === '')
    throw new Error(
      'PARLANCE_TEST_TEMPORAL_ADDRESS is not set: run the tests by `npm test`, which provides the services',
    );
  return address;
}

/** A client of the test server; the caller closes it. */
export function temporalTestClient(
  namespace = 'parlance-test',
  dataConverter?: DataConverter,
): TemporalClient {
  return createTemporalClient({ address: temporalTestAddress(), namespace, dataConverter });
}
