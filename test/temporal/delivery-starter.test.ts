import { expect, test } from '@jest/globals';
import { Client, WorkflowExecutionAlreadyStartedError, WorkflowNotFoundError } from '@temporalio/client';
import { randomUUID } from 'node:crypto';
import { createDeliveryStarter } from '../../src/temporal/delivery-starter.ts';
import { temporalTestClient } from '../support/temporal.ts';

test('a resend that can neither start nor signal the Workflow is an error', async () => {
  const real = temporalTestClient();
  // On every request, the delivery's Workflow has just begun or just ended.
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
