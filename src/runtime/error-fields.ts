/** One error as a log line shows it. */
export interface ErrorFields {
  type: string;
  code?: string;
  message?: string;
  /** Stack frames, innermost first. */
  at: string[];
  cause?: ErrorFields;
}

const maxCauses = 5;
const maxPlaces = 12;

/** Properties of database and HTTP client errors whose messages may quote what was sent. */
const quoting = ['sql', 'query', 'parameters', 'request', 'response', 'headers', 'body'];

/**
 * The loggable parts of an error: class, code, stack, and the message unless it may quote a sent value (such
 * as «Duplicate entry 'ada@example.com'»). Other properties are never logged, because they contain statements
 * with their parameters.
 */
export function errorFields(error: unknown, depth = 0): ErrorFields {
  if (!(error instanceof Error)) return { type: typeof error, at: [] };
  const code = 'code' in error && typeof error.code === 'string' ? { code: error.code } : {};
  const message = quoting.some((name) => name in error) ? {} : { message: error.message };
  const cause =
    error.cause === undefined || depth >= maxCauses ? {} : { cause: errorFields(error.cause, depth + 1) };
  return { type: error.name, ...code, ...message, at: placesOf(error), ...cause };
}

function placesOf({ stack = '' }: Error): string[] {
  const places = stack
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line.startsWith('at '));
  return places.slice(0, maxPlaces).map((line) => line.slice(3));
}
