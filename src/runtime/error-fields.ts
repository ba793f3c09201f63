/** One error as a log line shows it. */
export interface ErrorFields {
  type: string;
  code?: string;
  message?: string;
  /** Places in the code, innermost first. */
  at: string[];
  cause?: ErrorFields;
}

const maxCauses = 5;
const maxPlaces = 12;

/**
 * What errors of databases and of HTTP clients carry beside their words; their words may then quote what was
 * sent.
 */
const quoting = ['sql', 'query', 'parameters', 'request', 'response', 'headers', 'body'];

/**
 * What may be logged of an error: class, code, place, and its words unless they may quote a value that
 * somebody sent (a statement's «Duplicate entry 'ada@example.com'»). Its other properties are never logged:
 * they hold statements with their parameters.
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
