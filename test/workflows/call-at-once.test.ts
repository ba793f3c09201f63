import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { ApplicationFailure } from '@temporalio/common';
import { callWorkflowId } from '../../src/domain/temporal-ids.ts';
import { createCallWorld, type CallWorld, type OpenSession } from '../support/call-world.ts';
import { threeStepDefinition } from '../support/definitions.ts';
import { createScriptedLlm } from '../support/scripted-llm.ts';

/** Failures of the attempts within Workflow tasks, by activity. */
const failures = new Map<string, Error>();
let world: CallWorld;

beforeAll(async () => {
  world = await createCallWorld({ llm: createScriptedLlm() });
  await world.startWorker({
    interceptors: {
      activity: [
        ({ info }) => ({
          inbound: {
            execute: async (input, next) => {
              const failure = info.isLocal ? failures.get(info.activityType) : undefined;
              if (failure !== undefined) throw failure;
              return await next(input);
            },
          },
        }),
      ],
    },
  });
});

afterAll(async () => {
  await world.close();
});

/** The activities of a call that went through Temporal, in order. */
async function regularActivities({ callUuid }: Pick<OpenSession, 'callUuid'>): Promise<string[]> {
  const { events } = await world.temporal.client.workflow.getHandle(callWorkflowId(callUuid)).fetchHistory();
  return (events ?? []).flatMap(({ activityTaskScheduledEventAttributes: scheduled }) =>
    scheduled == null ? [] : [scheduled.activityType?.name ?? ''],
  );
}

describe('what a call does at once', () => {
  test('takes no way through Temporal: admission, record and webhooks', async () => {
    const session = await world.open(threeStepDefinition({ extraction: false }));
    await session.end(1);
    expect(await regularActivities(session)).toEqual(['converse']);
    expect(await session.row()).toMatchObject({ state: 'ended', disposition: 'user_hangup' });
  });

  test('goes on as a regular activity when it fails, so that an outage holds no Workflow task', async () => {
    const unavailable = ApplicationFailure.create({ type: 'unavailable', message: 'MySQL is away' });
    failures.set('admitCall', unavailable).set('finalizeCall', unavailable);
    const session = await world.open(threeStepDefinition({ extraction: false }));
    await session.end(1);
    expect(await regularActivities(session)).toEqual(['admitCall', 'converse', 'finalizeCall']);
    expect(await session.row()).toMatchObject({ state: 'ended', disposition: 'user_hangup' });
    failures.clear();
  });

  test('is not repeated after a failure that no attempt can change', async () => {
    failures.set(
      'finalizeCall',
      ApplicationFailure.create({ type: 'not_found', message: 'not_found: the call', nonRetryable: true }),
    );
    const session = await world.open(threeStepDefinition({ extraction: false }));
    await expect(session.end(1)).rejects.toMatchObject({ status: 400 });
    expect(await regularActivities(session)).toEqual(['converse']);
    failures.clear();
  });
});
