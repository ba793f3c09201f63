import { z } from 'zod';
import type { WholeService } from '../whole-service.ts';
import type { Case, CallerStep } from './order-desk.ts';

const Said = z.object({ text: z.string() }).nullable();
const Session = z.object({
  workflow_run_id: z.int(),
  revision: z.int(),
  is_completed: z.boolean(),
  session_data: z.object({
    turns: z.array(z.object({ id: z.string(), user_message: Said, assistant_message: Said })),
  }),
});
type Session = z.infer<typeof Session>;

export interface Caller {
  agentId: number;
  /** Also sends messages with idempotency keys, not only the request that opens the call. */
  keysMessages: boolean;
  think: () => Promise<void>;
  /** The run is over: callers send nothing more. */
  isOver: () => boolean;
  /** Called with every answer other than 200, and with the total time of a request with its repetitions. */
  onRefused: (how: string) => void;
  onAnswered: (ms: number) => void;
}

/** What a caller has heard: the lines of the conversation in the API's last answer. */
export interface Held {
  runId: number;
  lines: string[];
}

/**
 * Runs one call as the interface's documents ask of a client: a request that was lost or postponed
 * (connection loss, 503, 409 with Retry-After) is repeated unchanged after the requested time. Throws when an
 * answer removes or repeats what an earlier one said.
 */
export async function holdCall(service: WholeService, caller: Caller, { name, steps }: Case): Promise<Held> {
  const sessions = `/workflow/${caller.agentId}/text-chat/sessions`;
  let session = await untilAnswered(service, caller, {
    path: sessions,
    body: { initial_context: { case: name } },
    key: `open-${name}`,
  });
  for (const step of steps) {
    await caller.think();
    const { path, body } = requestOf(step, session);
    const next = await untilAnswered(service, caller, {
      path: `${sessions}/${session.workflow_run_id}/${path}`,
      body,
      key: caller.keysMessages ? `${name}-${session.revision}` : undefined,
    });
    mustFollow(session, step, next);
    session = next;
  }
  if (!session.is_completed) throw new Error(`${name} is not over after its last line`);
  return {
    runId: session.workflow_run_id,
    lines: session.session_data.turns.flatMap(({ user_message: user, assistant_message: agent }) =>
      [user, agent].flatMap((each) => (each === null ? [] : [each.text])),
    ),
  };
}

function requestOf(
  step: CallerStep,
  { revision, session_data: { turns } }: Session,
): { path: string; body: Record<string, unknown> } {
  if (step === 'end') return { path: 'end', body: { expected_revision: revision } };
  if ('back' in step)
    return { path: 'rewind', body: { cursor_turn_id: turns[step.back]?.id, expected_revision: revision } };
  return { path: 'messages', body: { text: step.say, expected_revision: revision } };
}

/** Earlier turns stay unchanged except after a rewind; a message adds the one turn that begins with it. */
function mustFollow(before: Session, step: CallerStep, after: Session): void {
  const [heard, continued] = [before.session_data.turns, after.session_data.turns];
  const kept = step !== 'end' && 'back' in step ? heard.slice(0, step.back + 1) : heard;
  const added = step !== 'end' && 'say' in step ? [step.say] : [];
  const said = continued.slice(kept.length).map(({ user_message: user }) => user?.text);
  if (
    JSON.stringify(continued.slice(0, kept.length)) === JSON.stringify(kept) &&
    JSON.stringify(said) === JSON.stringify(added)
  )
    return;
  throw new Error(
    `the answer to ${JSON.stringify(step)} does not follow the earlier turns:\n${JSON.stringify(heard)}\n${JSON.stringify(continued)}`,
  );
}

interface Asking {
  path: string;
  body: unknown;
  key?: string | undefined;
}

/**
 * An API that died with a keyed request delays it by the 30 s of its claim, and one request may meet several
 * deaths.
 */
const patienceMs = 300_000;
const lostConnectionMs = 250;

async function untilAnswered(
  service: WholeService,
  { onRefused, onAnswered, isOver }: Caller,
  { path, body, key }: Asking,
): Promise<Session> {
  const begun = Date.now();
  for (;;) {
    const answer = await service
      .request('POST', path, body, key === undefined ? {} : { 'Idempotency-Key': key })
      .catch(() => null);
    if (answer?.status === 200) {
      onAnswered(Date.now() - begun);
      return Session.parse(answer.body);
    }
    const retryAfter = answer?.headers.get('retry-after') ?? null;
    onRefused(
      answer === null
        ? 'connection lost'
        : `${answer.status}${retryAfter === null ? '' : ' with Retry-After'}`,
    );
    const isToComeLater = answer === null || (retryAfter !== null && [409, 503].includes(answer.status));
    if (!isToComeLater || Date.now() - begun > patienceMs || isOver())
      throw new Error(
        `POST ${path} ${isToComeLater ? 'was never answered; last' : 'answered'} ${answer?.status}: ${JSON.stringify(answer?.body)}`,
      );
    await pause(answer === null ? lostConnectionMs : Number(retryAfter) * 1000);
  }
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
