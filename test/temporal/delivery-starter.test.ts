import { expect, test } from '@jest/globals';
import { Client, WorkflowExecutionAlreadyStartedError, WorkflowNotFoundError } from '@temporalio/client';
import { randomUUID } from 'node:crypto';
import { createDeliveryStarter } from '../../src/temporal/delivery-starter.ts';
import { temporalTestClient } from '../support/temporal.ts';

test('a re-send that meets a Workflow neither to start nor to signal is an error, not a silence', async () => {
  const real = temporalTestClient();
  // Whatever is asked, the delivery's Workflow has just begun or just ended.
  const start = () => Promise.reject(new WorkflowExecutionAlreadyStartedError('began', '', ''));
  const signal = () => Promise.reject(new WorkflowNotFoundError('ended', '', undefined));
  const client = new Client({
    connection: real.client.connection,
    interceptors: { workflow: [{ start, startWithDetails: start, signal }] },
  });
  try {
    const starter = createDeliveryStarter({ temporal: { ...real, client, request: (work) => work(client) } });
    await expect(
      starter.resend({
        deliveryUuid: randomUUID(),
        callUuid: randomUUID(),
        organizationUuid: randomUUID(),
        startedAttempt: 2,
        resend: true,
      }),
    ).rejects.toMatchObject({ code: 'unavailable' });
  } finally {
    await real.close();
  }
});
