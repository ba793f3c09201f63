import { findRow, updateRows } from '../../../db/rows.ts';
import { calls, type CallRow } from '../../../db/tables/calls.ts';
import { inTransaction } from '../../../db/transaction.ts';
import {
  maxFetchedBytes,
  maxFetchRedirects,
  mergeFetched,
  readFetched,
  type FetchLog,
} from '../../../domain/call/pre-call-fetch.ts';
import { timeoutsMs } from '../../../domain/declaration.ts';
import { NotFoundError } from '../../../domain/errors.ts';
import { own, type JsonObject } from '../../../domain/graph/definition.ts';
import type { CustomerHttpOutcome, CustomerHttpPort } from '../../../providers/http/port.ts';
import { resolveCredentialHeaders } from '../../identity/index.ts';
import type { ConversationDeps } from './deps.ts';
import { toFetchBody } from './mapper.ts';
import { requireKept } from '../records/require-kept.ts';
import { loadScene, nodeIn, type SceneInput } from './scene.ts';

/** Dependencies of the fetch besides those of the conversation. */
export interface FetchDeps {
  http: CustomerHttpPort;
}

export interface FetchBeforeCallInput extends SceneInput {
  startNodeId: string;
}

interface Fetching {
  deps: ConversationDeps & FetchDeps;
  input: FetchBeforeCallInput;
  signal: AbortSignal;
}

/**
 * Asks the customer's endpoint for values once, before the agent speaks (contract 10), and merges them over
 * the call's initial_context, except protected keys. A failure is logged in `logs.pre_call_fetch` and never
 * fails the call.
 */
export async function fetchBeforeCall({ deps, input, signal }: Fetching): Promise<void> {
  const { call, ...scene } = await loadScene({ deps, input, through: { branch: 0, turnIndex: -1 } });
  const { url, credentialUuid } = nodeIn({ call, ...scene }, input.startNodeId).preCallFetch;
  if (url === null || own(call.logs, 'pre_call_fetch') !== undefined) return;
  const begun = performance.now();
  const credential = await resolveCredentialHeaders({
    ...deps,
    organizationId: call.organizationId,
    credentialUuid,
    url,
  });
  const outcome =
    credential.kind === 'refused'
      ? credential
      : await deps.http.request({
          method: 'POST',
          url,
          headers: { 'Content-Type': 'application/json', ...credential.headers },
          body: toFetchBody(call),
          timeoutMs: timeoutsMs.preCallFetch,
          maxResponseBytes: maxFetchedBytes,
          maxRedirects: maxFetchRedirects,
          signal,
        });
  const { status, error, values } = judge(outcome);
  await store(deps, call, {
    values,
    log: { status, error, duration_ms: Math.round(performance.now() - begun) },
  });
}

function judge(outcome: CustomerHttpOutcome): {
  status: number | null;
  error: string | null;
  values: JsonObject;
} {
  if (outcome.kind !== 'answered') return { status: null, error: outcome.message, values: {} };
  const { statusCode: status, truncated, bodyText } = outcome;
  if (status < 200 || status > 299) return { status, error: `The endpoint answered ${status}`, values: {} };
  if (truncated)
    return {
      status,
      error: `The answer is incomplete, compressed or over ${maxFetchedBytes} bytes`,
      values: {},
    };
  const read = readFetched(bodyText);
  return 'error' in read
    ? { status, error: read.error, values: {} }
    : { status, error: null, values: read.values };
}

async function store(
  deps: ConversationDeps,
  { id, organizationId }: CallRow,
  { values, log }: { values: JsonObject; log: FetchLog },
): Promise<void> {
  await inTransaction(deps.db, async (db) => {
    const where = { id, organizationId };
    const call = await findRow(db, calls, where, { isLocked: true });
    if (call === null) throw new NotFoundError('The call does not exist');
    requireKept(call);
    await updateRows(db, calls, {
      where,
      change: {
        initialContext: mergeFetched(call.initialContext, values),
        logs: { ...call.logs, pre_call_fetch: log },
      },
    });
  });
}
