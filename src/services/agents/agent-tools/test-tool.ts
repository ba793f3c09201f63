import type { ToolTest } from '../../../contract/tools.ts';
import { validationRecord } from '../../../contract/lax/records.ts';
import { readArguments } from '../../../domain/agent-tools/arguments.ts';
import {
  buildToolRequest,
  missingParameters,
  type MissingParameter,
  type ToolRequest,
} from '../../../domain/agent-tools/request.ts';
import { isSecretHeader, maskSecret } from '../../../domain/delivery/masking.ts';
import { PreconditionError, ValidationError } from '../../../domain/errors.ts';
import { isObject, ownList, ownText, type JsonObject } from '../../../domain/graph/definition.ts';
import { toolVariables } from '../../../domain/template/variables.ts';
import type { CustomerHttpOutcome, CustomerHttpPort } from '../../../providers/http/port.ts';
import type { SecretBox } from '../../../providers/secrets/port.ts';
import { appendAudit, type ServiceContext, write } from '../../kernel/index.ts';
import { resolveCredentialHeaders } from '../../identity/index.ts';
import { hintFor } from './hints.ts';
import { findTool, openedConfig } from './internal.ts';
import { sendToolRequest, sentHeaders, toToolAnswer } from './send.ts';

export interface ToolTestDeps {
  http: CustomerHttpPort;
  secrets: SecretBox;
}

export interface TestToolInput {
  uuid: string;
  /** The arguments that the model would give. */
  llmParams: JsonObject;
  /** Values of preset parameters; other names replace values of the call in templates. */
  presetParams: JsonObject;
}

interface Testing {
  ctx: ServiceContext;
  deps: ToolTestDeps;
  input: TestToolInput;
}

/**
 * Sends the request of an HTTP tool once, outside any call, and returns it with the endpoint's answer
 * (contract 15.1). Every outcome is a result with a hint; secrets of the request are masked.
 *
 * Throws NotFoundError, PreconditionError (400) for a tool of another type, ValidationError naming required
 * values that are missing.
 */
export async function testTool({ ctx, deps, input }: Testing): Promise<ToolTest> {
  const tool = await findTool(ctx.db.manager, ctx, input.uuid);
  if (tool.category !== 'http_api')
    throw new PreconditionError(`Only http_api tools can be tested; this one is ${tool.category}`, {
      status: 400,
    });
  const config = openedConfig(deps.secrets, tool);
  const read = readArguments(tool.definition, input.llmParams);
  if (read.kind === 'invalid') return toUnsent(config, { error: read.error, hint: hints.arguments });
  const building = {
    config,
    values: read.values,
    presets: input.presetParams,
    rendering: { variables: callVariables(config, input.presetParams), now: ctx.clock.now() },
  };
  const missing = missingParameters(building);
  if (missing.length > 0) throw missingValues(missing, input);
  const built = buildToolRequest(building);
  if (built.kind === 'invalid') return toUnsent(config, { error: built.error, hint: hints.values });

  const { request } = built;
  const credential = await resolveCredentialHeaders({
    ...deps,
    db: ctx.db,
    organizationId: ctx.organizationId,
    credentialUuid: request.credentialUuid,
    url: request.url,
  });
  await write(ctx, (tx) =>
    appendAudit(tx, {
      action: 'tool.tested',
      subjectKind: 'tool',
      subjectId: tool.id,
      subjectKey: tool.uuid,
    }),
  );
  const begun = performance.now();
  const outcome = await sendToolRequest({ http: deps.http, request, credential });
  const result = resultOf(outcome);
  return {
    ...result,
    hint: result.hint ?? hintForIgnored(read.ignored),
    ...shownRequest(request, credential.kind === 'headers' ? credential.headers : {}),
    duration_ms: Math.round(performance.now() - begun),
  };
}

/** Without a call, the values besides the preset parameters replace those of the call. */
function callVariables(config: JsonObject, given: JsonObject) {
  const declared = new Set(
    ownList(config, 'preset_parameters')
      .filter(isObject)
      .map((preset) => ownText(preset, 'name')?.trim()),
  );
  const values = Object.fromEntries(Object.entries(given).filter(([name]) => !declared.has(name)));
  return toolVariables({ initialContext: values, gatheredContext: values });
}

const fieldOf = { argument: 'llm_params', preset: 'preset_params' } as const satisfies Record<
  MissingParameter['kind'],
  string
>;

function missingValues(
  missing: readonly MissingParameter[],
  { llmParams, presetParams }: TestToolInput,
): ValidationError {
  const detail = missing.map(({ kind, name }) =>
    validationRecord(['body', fieldOf[kind], name], {
      type: 'missing',
      msg: 'Field required',
      input: kind === 'argument' ? llmParams : presetParams,
    }),
  );
  return new ValidationError('Required parameters have no value', { detail });
}

type Result = Pick<ToolTest, 'status' | 'status_code' | 'data' | 'error' | 'hint'>;

/** Stricter than a call: an answer that is cut off or not JSON is an error here. */
function resultOf(outcome: CustomerHttpOutcome): Result {
  const answer = toToolAnswer(outcome);
  if (answer.status === 'error')
    return {
      status: 'error',
      status_code: answer.status_code,
      data: null,
      error: answer.error,
      hint: hintFor(outcome, { isReadable: false, isWhole: false }),
    };
  const { data, status_code, truncated = false } = answer;
  const isReadable = typeof data !== 'string' || data === '' || isJsonText(outcome);
  const error = truncated ? 'the answer is incomplete' : isReadable ? null : 'the answer is not JSON';
  return {
    status: error === null ? 'success' : 'error',
    status_code,
    data: data ?? null,
    error,
    hint: hintFor(outcome, { isReadable, isWhole: !truncated }),
  };
}

/** A JSON answer may be a string, too. */
function isJsonText(outcome: CustomerHttpOutcome): boolean {
  if (outcome.kind !== 'answered') return false;
  try {
    JSON.parse(outcome.bodyText);
    return true;
  } catch {
    return false; // plain text
  }
}

function shownRequest(request: ToolRequest, credentialHeaders: Readonly<Record<string, string>>) {
  const secret = new Set(Object.keys(credentialHeaders).map((name) => name.toLowerCase()));
  const shown = Object.entries(sentHeaders(request, credentialHeaders)).map(
    ([name, value]) =>
      [name, secret.has(name.toLowerCase()) || isSecretHeader(name) ? maskSecret(value) : value] as const,
  );
  return {
    request_method: request.method,
    request_url: request.url,
    request_headers: Object.fromEntries(shown),
    request_body: request.body === null ? null : readBody(request.body),
    request_params: request.params === null ? null : { ...request.params },
  };
}

function readBody(body: string): Record<string, unknown> | null {
  const content: unknown = JSON.parse(body);
  return isObject(content) ? { ...content } : null;
}

/** Only declared arguments are sent, in a call too. */
function hintForIgnored(names: readonly string[]): string | null {
  return names.length === 0
    ? null
    : `Not sent, because the tool does not declare them as parameters of the model: ${names.join(', ')}.`;
}

const hints = {
  values:
    "Nothing was sent. Put the values of the call that the tool's templates need into preset_params, by their names.",
  arguments: 'Nothing was sent. Give llm_params the types that the parameters of the tool declare.',
} as const;

/** The result when these values allow no request: the address is shown unrendered. */
function toUnsent(config: JsonObject, { error, hint }: { error: string; hint: string }): ToolTest {
  return {
    status: 'error',
    status_code: null,
    data: null,
    error,
    hint,
    request_method: ownText(config, 'method') ?? 'POST',
    request_url: ownText(config, 'url') ?? '',
    request_headers: {},
    request_body: null,
    request_params: null,
    duration_ms: 0,
  };
}
