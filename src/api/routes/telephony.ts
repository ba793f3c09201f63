import type { z } from 'zod';
import type { TriggerCallRequest } from '../../contract/telephony.ts';
import type { TriggerAddress } from '../../services/agents/index.ts';
import type { ServiceContext } from '../../services/kernel/index.ts';
import { initiateCall, triggerCall } from '../../services/calls/index.ts';
import type { CallLimits, OutboundCarriers } from '../../services/telephony/index.ts';
import type { Handlers } from '../bind.ts';

export interface TelephonyRouteDeps {
  carriers: OutboundCarriers;
  limits?: CallLimits | undefined;
}

type TelephonyRoute = 'callByPathTest' | 'callByPath' | 'callByAgentTest' | 'callByAgent' | 'initiateCall';

/** Starting phone calls (contract 5). */
export function telephonyHandlers(deps: TelephonyRouteDeps): Pick<Handlers<ServiceContext>, TelephonyRoute> {
  const trigger = (
    ctx: ServiceContext,
    body: z.output<typeof TriggerCallRequest>,
    target: { address: TriggerAddress; isTest: boolean },
  ) => triggerCall({ ctx, deps, input: { ...target, phoneNumber: body.phone_number, ...choicesOf(body) } });
  return {
    callByPathTest: ({ ctx, input: { params, body } }) =>
      trigger(ctx, body, { address: { kind: 'path', path: params.trigger_path }, isTest: true }),
    callByPath: ({ ctx, input: { params, body } }) =>
      trigger(ctx, body, { address: { kind: 'path', path: params.trigger_path }, isTest: false }),
    callByAgentTest: ({ ctx, input: { params, body } }) =>
      trigger(ctx, body, { address: { kind: 'uuid', uuid: params.workflow_uuid }, isTest: true }),
    callByAgent: ({ ctx, input: { params, body } }) =>
      trigger(ctx, body, { address: { kind: 'uuid', uuid: params.workflow_uuid }, isTest: false }),
    initiateCall: ({ ctx, input: { body } }) =>
      initiateCall({
        ctx,
        deps,
        input: {
          agentId: body.workflow_id,
          phoneNumber: body.phone_number ?? null,
          callId: body.workflow_run_id ?? null,
          ...choicesOf(body),
        },
      }),
  };
}

function choicesOf({
  initial_context,
  telephony_configuration_id,
  from_phone_number_id,
}: Pick<
  z.output<typeof TriggerCallRequest>,
  'initial_context' | 'telephony_configuration_id' | 'from_phone_number_id'
>) {
  return {
    initialContext: initial_context ?? {},
    configurationId: telephony_configuration_id ?? null,
    fromNumberId: from_phone_number_id ?? null,
  };
}
