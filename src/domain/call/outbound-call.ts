import type { CallNumbers } from './call-numbers.ts';
import { outboundContext, type OutboundContext } from './initial-context.ts';
import { callName, type Random } from './names.ts';

/** The values of an outbound call's row that are decided before the dial; the rest is as for any new call. */
export interface OutboundCall extends CallNumbers {
  name: string;
  /** The provider (contract 6.3). */
  mode: string;
  channel: 'phone';
  direction: 'outbound';
  source: 'editor' | 'api_prod' | 'api_test';
  state: 'pending';
  isTest: boolean;
  initialContext: Record<string, unknown>;
  annotations: Record<string, unknown>;
}

export interface OutboundSource extends OutboundContext {
  /** The number that the callee sees: the requested one, or the service's choice. */
  phoneNumberId: number;
}

/**
 * A call by a trigger, or by the editor's initiate-call (contract 5.1, 5.5, 6.3). Only the latter uses
 * `underneath`.
 */
export function outboundCall(source: OutboundSource, random: Random): OutboundCall {
  const { trigger, configurationId, phoneNumberId } = source;
  const ways = trigger === null ? initiated : trigger.isTest ? testTrigger : productionTrigger;
  return {
    name: callName(ways.origin, random),
    mode: source.provider,
    channel: 'phone',
    direction: 'outbound',
    source: ways.source,
    state: 'pending',
    isTest: ways.isTest,
    configurationId,
    phoneNumberId,
    callerNumber: null,
    calledNumber: source.phoneNumber,
    initialContext: outboundContext(trigger === null ? source : { ...source, underneath: {} }),
    annotations: {},
  };
}

const productionTrigger = { origin: 'trigger', source: 'api_prod', isTest: false } as const;
const testTrigger = { origin: 'trigger_test', source: 'api_test', isTest: true } as const;
const initiated = { origin: 'initiated', source: 'editor', isTest: true } as const;
