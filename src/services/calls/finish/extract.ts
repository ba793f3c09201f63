import { upsertRows } from '../../../db/rows.ts';
import { extractions } from '../../../db/tables/extractions.ts';
import type { Line } from '../../../domain/call/line.ts';
import { exchangesOf, type Exchange } from '../../../domain/call/tool-round.ts';
import type { ExtractionRequest } from '../../../domain/call/turn.ts';
import { readExtraction, type ExtractedValues } from '../../../domain/extraction/answer.ts';
import { extractionMessages, type SpokenLine } from '../../../domain/extraction/prompt.ts';
import { renderTemplate } from '../../../domain/rendering/render.ts';
import { resolveLlm } from '../../models/index.ts';
import type { ConversationDeps } from '../turns/deps.ts';
import { loadScene, loadTurns, nodeIn, renderingOf, type SceneInput } from '../turns/scene.ts';
import type { ModelUsage } from '../turns/usage.ts';
import { askOnce } from '../turns/wasted.ts';

export interface ExtractInput extends SceneInput {
  request: ExtractionRequest;
  /** Lines after that turn that are not committed yet; absent = none. */
  pendingLines?: Line[];
}

export type Extracted =
  | { values: ExtractedValues; usage: ModelUsage | null }
  | { failed: string; usage: ModelUsage | null };

/**
 * Reads one node's variables from the transcript so far, with the agent's own model and without tools
 * (contract 8.3), and stores them, so that a live call shows them. An answer without a JSON object is an expected outcome that stores nothing. Throws
 * ProviderError when the model fails.
 */
export async function extract({
  deps,
  input,
  signal,
}: {
  deps: ConversationDeps;
  input: ExtractInput;
  signal: AbortSignal;
}): Promise<Extracted> {
  const { nodeId, branch, throughTurnIndex, throughLine } = input.request;
  const scene = await loadScene({ deps, input, through: { branch, turnIndex: throughTurnIndex - 1 } });
  const last = (await loadTurns({ deps, input, through: { branch, turnIndex: throughTurnIndex } })).at(-1);
  const ended =
    last?.turnIndex === throughTurnIndex
      ? exchangesOf(
          last.lines.slice(0, throughLine),
          (last.toolRounds ?? []).filter(({ atLine }) => atLine <= throughLine),
        )
      : [];
  const lines = [...[...scene.exchanges, ...ended].flatMap(spokenLines), ...(input.pendingLines ?? [])];
  const { extractionVariables: variables, extractionPrompt } = nodeIn(scene, nodeId);
  if (variables.length === 0) return { values: {}, usage: null };

  const render = (template: string) => renderTemplate(template, renderingOf(scene));
  const question = extractionMessages({ variables, extractionPrompt, lines, render });
  const by = await resolveLlm({
    db: deps.db,
    deps,
    organizationId: input.organizationId,
    agentSettings: scene.settings,
  });
  const { text, usage } = await askOnce({
    deps,
    by,
    ref: input,
    request: { tools: [], ...question },
    signal,
  });
  // guarantee: unreadable-extraction-stores-nothing
  const values = readExtraction(text, variables);
  if (values === null) return { failed: 'the language model did not answer with a JSON object', usage };
  const { callId, organizationId, request } = input;
  await upsertRows(deps.db.manager, extractions, [
    { organizationId, callId, ...request, values, foundAt: deps.clock.now() },
  ]);
  return { values, usage };
}

/** Tool results belong to the transcript (contract 8.3). */
function spokenLines(exchange: Exchange): SpokenLine[] {
  if (exchange.kind === 'line') return [exchange.line];
  return exchange.calls.map(({ result }) => ({ speaker: 'tool', text: result }));
}
