import { ForbiddenError, PreconditionError, type AppError } from '../../domain/errors.ts';
import { getCall, listCalls } from '../../services/calls/index.ts';
import type { ServiceContext } from '../../services/context.ts';
import type { Handlers } from '../bind.ts';

export interface CallRouteDeps {
  /** Base URL of the public links in a call. */
  publicUrl: string;
}

/** The last page that can hold anything. */
const mostPages = 1_000_000_000;

/** Calls of an agent (contract 6.2). */
export function callHandlers({ publicUrl }: CallRouteDeps): Pick<Handlers<ServiceContext>, 'listRuns' | 'getRun'> {
  return {
    listRuns: async ({ ctx, input: { params, query } }) => {
      refuseFilters(query.filters);
      const page = Math.min(query.page ?? 1, mostPages);
      return listCalls({ ctx, publicUrl, input: { agentId: params.workflow_id, page, limit: query.limit ?? 50, sortBy: query.sort_by ?? 'created_at', sortOrder: query.sort_order ?? 'desc' } });
    },
    getRun: ({ ctx, input: { params } }) => getCall({ ctx, publicUrl, input: { agentId: params.workflow_id, callId: params.run_id } }),
  };
}

/** No attribute can be filtered by: an absent or empty filter passes, any other is refused by its first attribute (contract 6.2). */
function refuseFilters(filters: string | undefined): void {
  if (filters === undefined || filters === '') return;
  const [first] = filtersOf(filters);
  if (first !== undefined) throw new ForbiddenError(`Invalid attribute '${first}'`);
}

function filtersOf(text: string): string[] {
  const invalid = (cause?: unknown): AppError => new PreconditionError('Invalid filter format', { status: 400, cause });
  let filters: unknown;
  try {
    filters = JSON.parse(text);
  } catch (error) {
    throw invalid(error);
  }
  if (!Array.isArray(filters)) throw invalid();
  return filters.map((filter: unknown) => {
    const attribute: unknown = typeof filter === 'object' && filter !== null ? Reflect.get(filter, 'attribute') : undefined;
    if (typeof attribute !== 'string') throw invalid();
    return attribute;
  });
}
