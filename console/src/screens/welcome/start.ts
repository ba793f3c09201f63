import type { AnswerOf } from '../../../../src/contract/client-types.ts';
import { call } from '../../app/api.ts';
import { placeCall, type PlacedCall } from '../../live/place-call.ts';
import { createSpeaker, type WebSpeaker } from '../../live/sound.ts';
import { startTextCall } from '../../live/text-call.ts';
import type { LiveCall } from '../../live/web-call.ts';
import { planOf } from './plan.ts';

export type Template = AnswerOf<'get', '/workflow/templates'>[number];

/** The microphone of a call, which can be muted. */
export type Ears = Pick<PlacedCall, 'setMicrophone' | 'level'> & {
  microphone: NonNullable<PlacedCall['microphone']>;
};

/** A conversation with an agent that was made from a template. */
export interface Started {
  call: LiveCall;
  agentId: number;
  runId: number;
  /** Values that the call began with. */
  values: Record<string, unknown>;
  speaker: WebSpeaker | null;
  /** Why there is less than a call by voice. */
  lack: 'no_host' | 'no_microphone' | null;
  /** Null in a conversation without one. */
  ears: Ears | null;
  close: () => void;
}

/** The agent that was made from the template before, or a new copy. */
async function agentOf(template: Template): Promise<number> {
  const { body } = await call('get', '/workflow/overview', {
    query: { search: template.template_name, status: 'active' },
  });
  const ids = planOf(template.template_json).nodes.map(({ id }) => id);
  const made = body.items.find(
    ({ name, outline }) =>
      name === template.template_name && ids.every((id) => outline.nodes.some((node) => node.id === id)),
  );
  if (made !== undefined) return made.id;
  const copy = await call('post', '/workflow/templates/duplicate', {
    body: { template_id: template.id, workflow_name: template.template_name },
  });
  return copy.body.id;
}

/** Answers the telephone. Call it in a click, because browsers play no sound otherwise. */
export async function answer(template: Template): Promise<Started> {
  const speaker = createSpeaker();
  try {
    const agentId = await agentOf(template);
    return await callAgent(agentId, speaker);
  } catch (error) {
    speaker.close();
    throw error;
  }
}

async function callAgent(agentId: number, speaker: WebSpeaker): Promise<Started> {
  const placed = await placeCall({ agentId, name: 'First call', speaker });
  if (placed === null) {
    speaker.close();
    const text = await startTextCall(agentId);
    return {
      call: text,
      agentId,
      runId: text.runId,
      values: text.values,
      speaker: null,
      lack: 'no_host',
      ears: null,
      close: () => text.close(),
    };
  }
  const { call: live, runId, values, hasEars, microphone, setMicrophone, level, close } = placed;
  return {
    call: live,
    agentId,
    runId,
    values,
    speaker,
    lack: hasEars && microphone === null ? 'no_microphone' : null,
    ears: microphone === null ? null : { microphone, setMicrophone, level },
    close,
  };
}
