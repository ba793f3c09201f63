import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { calls } from '../../../../src/db/tables/calls.ts';
import { defaultTts } from '../../../../src/domain/models/resolved-voice.ts';
import type { ServiceContext } from '../../../../src/services/kernel/context.ts';
import { createAgent } from '../../../../src/services/agents/index.ts';
import { admitCall, createTextSession } from '../../../../src/services/calls/index.ts';
import { conversationDeps } from '../../../support/admitted-call.ts';
import { answeringCalls } from '../../../support/api-on-services.ts';
import { threeStepDefinition } from '../../../support/definitions.ts';
import {
  createTestContext,
  createTestDatabase,
  databases,
  type TestDatabase,
} from '../../../support/database.ts';

const voice = {
  tts: defaultTts,
  stt: { shownAs: 'simulated', provider: 'telnyx', model: 'nova-3', language: null },
};
const llm = { llm_provider: 'simulated', llm_model: 'test-model' };

describe.each(databases)('the voice and recognizer of a call, on %s', (kind) => {
  let database: TestDatabase;
  let ctx: ServiceContext;

  beforeAll(async () => {
    database = await createTestDatabase(kind);
    ctx = await createTestContext(database.db);
  });
  afterAll(async () => await database.drop());

  async function admitted(channel: 'text' | 'phone' | 'web', settings: Record<string, unknown> = {}) {
    const { id: agentId } = await createAgent({
      ctx,
      input: { name: 'A', definition: threeStepDefinition(), settings },
    });
    const { workflow_run_id: callId } = await createTextSession({
      ctx,
      deps: { calls: answeringCalls },
      input: { agentId, initialContext: {}, annotations: {} },
    });
    await database.db
      .getRepository(calls)
      .update({ id: callId, organizationId: ctx.organizationId }, { channel });
    await admitCall({
      deps: conversationDeps(ctx, { voice }),
      input: { callId, organizationId: ctx.organizationId },
    });
    const { initialContext } = await database.db
      .getRepository(calls)
      .findOneByOrFail({ id: callId, organizationId: ctx.organizationId });
    return initialContext['runtime_configuration'];
  }

  test('are stored with its values when it begins, for spoken calls only (contract 5.3, row 6)', async () => {
    const spoken = {
      stt_provider: 'simulated',
      stt_model: 'nova-3',
      tts_provider: 'google',
      tts_model: 'chirp_3_hd',
      ...llm,
    };
    expect(await admitted('phone')).toEqual(spoken);
    expect(await admitted('web')).toEqual(spoken);
    expect(await admitted('text')).toEqual(llm);
  });
});
