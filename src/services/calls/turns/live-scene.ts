import { callSeats } from '../../../db/tables/call-seats.ts';
import type { ToolRow } from '../../../db/tables/tools.ts';
import { calls } from '../../../db/tables/calls.ts';
import { findRow } from '../../../db/rows.ts';
import { NotFoundError } from '../../../domain/errors.ts';
import { nodesOf, ownText } from '../../../domain/graph/definition.ts';
import { nodeOf } from '../../../domain/graph/model.ts';
import { resolveLlm, type ResolvedLlm } from '../../models/index.ts';
import type { CallRef } from '../../kernel/index.ts';
import type { ConversationDeps } from './deps.ts';
import { findTools } from './offered-tools.ts';
import { loadScene, loadTurns, type Scene, type SceneInput } from './scene.ts';
import { findSummary } from './summary.ts';

/**
 * Everything that a media host needs from MySQL to speak for a call. It is read once, so that the
 * conversation never waits for the database.
 */
export interface LiveScene {
  scene: Scene;
  by: ResolvedLlm;
  toolRows: ToolRow[];
  summary: LiveSummary | null;
  /** Time since media first began to flow, at any host: the used part of `max_call_duration`. */
  usedMs: number;
}

export interface LiveSummary {
  text: string;
  lineCount: number;
}

interface Loading {
  deps: ConversationDeps;
  input: SceneInput;
  /** The last turn before the step to speak. */
  through: { branch: number; turnIndex: number };
}

/** How long to wait for a commit that was under way when the last host was lost. */
const commitWaitMs = 1500;

/** Throws NotFoundError for a call outside the organization, UnavailableError when MySQL is unavailable. */
export async function loadLiveScene({ deps, input, through }: Loading): Promise<LiveScene> {
  const { callId, organizationId } = input;
  const scene = await loadWhole({ deps, input, through });
  const toolUuids = nodesOf(scene.definition).flatMap(
    (node) => nodeOf(scene.definition, ownText(node, 'id') ?? '')?.toolUuids ?? [],
  );
  const [by, toolRows, summary, seat] = await Promise.all([
    resolveLlm({ db: deps.db, deps, organizationId, agentSettings: scene.settings }),
    findTools(deps, organizationId, toolUuids),
    findSummary(deps.db, input, scene),
    findRow(deps.db.manager, callSeats, { callId, organizationId }),
  ]);
  const beganAt = seat?.mediaBeganAt ?? null;
  return {
    scene,
    by,
    toolRows,
    summary,
    usedMs: beganAt === null ? 0 : Math.max(0, deps.clock.now().getTime() - beganAt.getTime()),
  };
}

async function loadWhole({ deps, input, through }: Loading): Promise<Scene> {
  const end = performance.now() + commitWaitMs;
  for (;;) {
    const scene = await loadScene({ deps, input, through });
    if (scene.turns.length > through.turnIndex || performance.now() > end) return scene;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/**
 * The scene of a call that has a seat and no turns. Throws NotFoundError for a call outside the organization.
 */
export async function loadSeatedScene({
  deps,
  input: { callId: id, organizationId },
}: {
  deps: ConversationDeps;
  input: CallRef;
}): Promise<Scene> {
  const call = await findRow(deps.db.manager, calls, { id, organizationId });
  if (call === null) throw new NotFoundError('The call does not exist');
  return await loadScene({
    deps,
    input: { callId: id, organizationId, versionId: call.versionId },
    through: { branch: 0, turnIndex: -1 },
  });
}

/** The latest summary of the conversation (contract 3.2), for later prompts. */
export async function findLiveSummary({
  deps,
  input,
  through,
  settings,
}: Loading & Pick<Scene, 'settings'>): Promise<LiveSummary | null> {
  return await findSummary(deps.db, input, { settings, turns: await loadTurns({ deps, input, through }) });
}
