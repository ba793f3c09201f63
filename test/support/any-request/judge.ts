import type { Answer } from './exchange.ts';
import type { Description, Operation } from './operations.ts';
import type { AnyRequest } from './requests.ts';

/** Text that no answer may contain: stack frames, file paths, messages of the database or a library. */
const leaks = [
  /\bat [\w.<>[\] ]+ \(?(?:file|node|\/)[^\s)]*:\d+/,
  /node:internal|node_modules|file:\/\/\/(?!etc\/passwd)/,
  /\/src\/\w+\/[\w-]+/,
  /\bER_[A-Z_]+\b|QueryFailedError|sqlMessage|You have an error in your SQL|Duplicate entry|Data too long/,
  /\b(?:TypeError|RangeError|ReferenceError|SyntaxError|ZodError|InvariantError)\b/,
  /\$argon2/,
];

/** The faults of an answer; empty when it has none. */
export function faultsOf(
  operation: Operation,
  request: AnyRequest,
  { status, headers, body }: Answer,
  { isError }: Pick<Description, 'isError'>,
): string[] {
  const faults: string[] = [];
  if (status >= 500) faults.push(`the service failed: ${status}`);
  if (headers['x-request-id'] === undefined) faults.push('there is no X-Request-Id');
  const leak = leaks.map((each) => each.exec(body)?.[0]).find((each) => each !== undefined);
  if (leak !== undefined && !said(request).includes(leak)) faults.push(`it shows ${JSON.stringify(leak)}`);
  return [...faults, ...shapeFaults(operation, request, { status, headers, body }, { isError })];
}

/** Field faults quote the caller's text. */
const said = ({ target, body = '' }: AnyRequest): string => `${decoded(target)}${body}`;

function shapeFaults(
  { answers, id }: Operation,
  { target }: AnyRequest,
  { status, headers, body }: Answer,
  { isError }: Pick<Description, 'isError'>,
): string[] {
  const described = answers.get(status);
  const type = String(headers['content-type'] ?? '').split(';')[0] ?? '';
  if (described === undefined && status === 404 && decoded(target) === '')
    return isError(parsed(body)) ? [] : ['a path that does not decode is not answered as an error'];
  if (described === undefined)
    return [`${id} does not declare ${status}, only ${[...answers.keys()].join(', ')}`];
  if (described.size === 0) return body === '' ? [] : [`${status} is declared without a body and has one`];
  const validate = described.get(type);
  if (validate === undefined)
    return [`${status} is declared as ${[...described.keys()].join(', ')} and is ${JSON.stringify(type)}`];
  if (validate === null || validate(parsed(body))) return [];
  return [
    `the body of ${status} is against its schema: ${(validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`).join(', ')}`,
  ];
}

/** Empty when the percent encoding of the path is invalid. */
function decoded(target: string): string {
  try {
    return decodeURIComponent(target.split('?')[0] ?? '');
  } catch {
    return ''; // throws for exactly one reason
  }
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined; // fits no schema
  }
}
