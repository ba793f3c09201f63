import { toolStates } from '../../contract/tools.ts';
import { PreconditionError } from '../../domain/errors.ts';
import type { ServiceContext } from '../../services/kernel/index.ts';
import {
  archiveTool,
  createTool,
  getTool,
  listTools,
  testTool,
  unarchiveTool,
  updateTool,
  type ToolTestDeps,
} from '../../services/agents/index.ts';
import type { Handlers } from '../bind.ts';

type ToolRoute =
  | 'listTools'
  | 'createTool'
  | 'getTool'
  | 'updateTool'
  | 'archiveTool'
  | 'unarchiveTool'
  | 'testTool';

/** Tools of agents (contract 15.1). */
export function toolHandlers({ http, secrets }: ToolTestDeps): Pick<Handlers<ServiceContext>, ToolRoute> {
  return {
    listTools: ({ ctx, input: { query } }) =>
      listTools({
        ctx,
        input: {
          states: statesOf(query.status),
          category: query.category,
          withUses: query.with_uses ?? false,
        },
      }),
    createTool: ({ ctx, input: { body } }) =>
      createTool({
        ctx,
        input: {
          name: body.name,
          description: body.description,
          icon: body.icon,
          iconColor: body.icon_color,
          definition: body.definition,
        },
      }),
    getTool: ({ ctx, input: { params } }) => getTool({ ctx, input: { uuid: params.tool_uuid } }),
    updateTool: ({ ctx, input: { params, body } }) =>
      updateTool({
        ctx,
        input: {
          uuid: params.tool_uuid,
          name: body.name ?? undefined,
          description: body.description ?? undefined,
          icon: body.icon ?? undefined,
          iconColor: body.icon_color ?? undefined,
          definition: body.definition ?? undefined,
          state: body.status ?? undefined,
        },
      }),
    archiveTool: ({ ctx, input: { params } }) => archiveTool({ ctx, input: { uuid: params.tool_uuid } }),
    unarchiveTool: ({ ctx, input: { params } }) => unarchiveTool({ ctx, input: { uuid: params.tool_uuid } }),
    testTool: ({ ctx, input: { params, body } }) =>
      testTool({
        ctx,
        deps: { http, secrets },
        input: { uuid: params.tool_uuid, llmParams: body.llm_params, presetParams: body.preset_params },
      }),
  };
}

/** Throws PreconditionError (400) for an unknown status. */
function statesOf(list: string | undefined): (typeof toolStates)[number][] {
  if (list === undefined || list === '') return ['active', 'draft'];
  return list.split(',').map((word) => {
    const known = toolStates.find((state) => state === word.trim());
    if (known === undefined)
      throw new PreconditionError(
        `Invalid status '${word.trim()}'. Must be one of: ${toolStates.join(', ')}`,
        { status: 400 },
      );
    return known;
  });
}
