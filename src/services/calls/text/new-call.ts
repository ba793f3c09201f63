import type { CallRow } from '../../../db/tables/calls.ts';
import { rehearsedNumbers } from '../../../domain/call/call-numbers.ts';
import { testContext } from '../../../domain/call/initial-context.ts';
import { callName } from '../../../domain/call/names.ts';
import { own, type JsonObject } from '../../../domain/graph/definition.ts';
import type { RunnableVersion } from '../../agents/index.ts';
import { freshCall } from '../start/fresh-call.ts';
import type { ServiceContext } from '../../kernel/index.ts';

export interface NewCall {
  name?: string | undefined;
  initialContext: JsonObject;
  annotations: JsonObject;
}

/** The row of a test conversation that has not started. */
export function newCall(ctx: ServiceContext, input: NewCall, runnable: RunnableVersion): Omit<CallRow, 'id'> {
  const initialContext = testContext(runnable.version.testValues, input.initialContext);
  return freshCall(ctx, runnable, {
    name: input.name ?? callName('text', (below) => ctx.ids.integer(below)),
    mode: 'textchat',
    channel: 'text',
    direction: own(initialContext, 'direction') === 'outbound' ? 'outbound' : 'inbound',
    source: 'editor',
    state: 'pending',
    isTest: true,
    ...rehearsedNumbers(initialContext),
    initialContext,
    annotations: { ...input.annotations },
  });
}
