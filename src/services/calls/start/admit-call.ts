import { findRow, getRow, updateRows } from '../../../db/rows.ts';
import { agentVersions } from '../../../db/tables/agent-versions.ts';
import { callSeats } from '../../../db/tables/call-seats.ts';
import { calls, type CallRow } from '../../../db/tables/calls.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { readAgentSettings } from '../../../domain/agents/settings.ts';
import { NotFoundError } from '../../../domain/errors.ts';
import { resolveLlm, resolveVoice } from '../../models/index.ts';
import type { CallRef } from '../../kernel/index.ts';
import type { ConversationDeps } from '../turns/deps.ts';

/**
 * `startedAt` (ISO 8601) is the call's reference time: every template of the call is rendered as of it
 * (contract 7.3).
 */
export type Admission = { kind: 'admitted'; startedAt: string } | { kind: 'refused' };

/**
 * `pending → admitted` (`talking` when media already flow, as in a browser). The row's lock excludes the API,
 * which refuses a call that it could not start, and a second start of the same call. Repeated by its own
 * Workflow, it returns the same answer. It also stores the trace in which the call begins (`trace_url`,
 * contract 6.5): every later turn belongs to the trace of its own request and links to this one.
 */
export async function admitCall({
  deps,
  input,
}: {
  deps: ConversationDeps;
  input: CallRef;
}): Promise<Admission> {
  const { callId: id, organizationId } = input;
  return await inTransaction(deps.db, async (tx) => {
    const call = await findRow(tx, calls, { id, organizationId }, { isLocked: true });
    if (call === null) throw new NotFoundError('The call does not exist');
    if (wasAdmitted(call) && call.startedAt !== null)
      return { kind: 'admitted', startedAt: call.startedAt.toISOString() };
    // guarantee: call-answered-503-never-runs
    if (call.state !== 'pending') return { kind: 'refused' };
    const startedAt = deps.clock.now();
    // The models in use belong to the call's values (contract 5.3, row 6). They are those at the beginning: a
    // changed setting acts on the next request.
    const version = await getRow(tx, agentVersions, { id: call.versionId, organizationId });
    const agentSettings = readAgentSettings(version.settings);
    const { llm, model } = await resolveLlm({ db: tx, deps, organizationId, agentSettings });
    const voice =
      call.channel === 'text' ? {} : await voiceInUse({ db: tx, deps, organizationId, agentSettings });
    const initialContext = {
      ...call.initialContext,
      runtime_configuration: { ...voice, llm_provider: llm.provider, llm_model: model },
    };
    const traceUrl = deps.traceUrl?.() ?? null;
    const gatheredContext =
      traceUrl === null ? call.gatheredContext : { ...call.gatheredContext, trace_url: traceUrl };
    const seat = call.channel === 'web' ? await findRow(tx, callSeats, { callId: id, organizationId }) : null;
    await updateRows(tx, calls, {
      where: { id, organizationId },
      change: {
        state: seat?.mediaBeganAt == null ? 'admitted' : 'talking',
        startedAt,
        initialContext,
        gatheredContext,
      },
    });
    return { kind: 'admitted', startedAt: startedAt.toISOString() };
  });
}

/** A spoken call is `talking` as soon as media flow, even before its Workflow knows that it was admitted. */
function wasAdmitted({ state, channel }: CallRow): boolean {
  return state === 'admitted' || (state === 'talking' && channel !== 'text');
}

/** Names of the voice and the recognizer in use, for people; empty when this process has no voices. */
async function voiceInUse({
  deps: { voice, secrets, log },
  ...resolving
}: Omit<Parameters<typeof resolveVoice>[0], 'deps'> & { deps: ConversationDeps }): Promise<
  Record<string, string>
> {
  if (voice === undefined) return {};
  const { tts, stt } = await resolveVoice({ ...resolving, deps: { secrets, voice } });
  for (const [service, { fault }] of Object.entries({ tts, stt }))
    if (fault !== null)
      log.warn(
        { organizationId: resolving.organizationId, service, fault },
        "The organization's voice settings cannot be used; using the installation's",
      );
  return { stt_provider: stt.shownAs, stt_model: stt.model, tts_provider: tts.shownAs, tts_model: tts.model };
}
