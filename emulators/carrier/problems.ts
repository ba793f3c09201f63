/**
 * The carrier's errors that the emulator uses: HTTP status, and the texts of the carrier's published list
 * where it has them.
 */
const catalog = {
  '10004': [422, 'Missing required parameter', 'A required parameter was missing.'],
  '10005': [404, 'Resource not found', 'The requested resource or URL could not be found.'],
  '10007': [500, 'Unexpected error', 'An unexpected error occured.'],
  '10009': [
    401,
    'Authentication failed',
    'The required authentication headers were either invalid or not included in the request.',
  ],
  '10010': [
    403,
    'Authorization failed',
    'You do not have permission to perform the requested action on the specified resource or resources.',
  ],
  '10011': [429, 'Too many requests', 'You have exceeded the maximum number of allowed requests.'],
  '10015': [422, 'Bad Request', 'The request failed because it was not well-formed.'],
  '10016': [
    422,
    'Phone number must be in +E.164 format',
    'The specified phone number parameter must be in +E.164 format.',
  ],
  '90015': [422, 'Invalid Call Control ID', 'The call_control_id provided was not valid.'],
  '90017': [422, 'Invalid client_state', 'The client_state must be a valid Base64 encoded string.'],
  '90018': [422, 'Call has already ended', 'This call is no longer active and cannot receive commands.'],
  '90029': [422, 'Invalid time_limit_secs', 'The time limit must be between 60 and 14400 seconds.'],
  '90034': [
    422,
    'Call not answered yet',
    'This call cannot receive this command because it has not been answered yet.',
  ],
  '90041': [403, 'User channel limit exceeded', 'The account has no free channel.'],
  '90042': [
    403,
    'Outbound voice profile channel limit exceeded',
    'The outbound voice profile has no free channel.',
  ],
  '90043': [403, 'Connection channel limit exceeded', 'The connection has no free channel.'],
  '90045': [422, 'Media streaming already in use', 'The call already has a media stream.'],
  '90046': [422, 'Media streaming failed', 'The media stream could not be started.'],
  '90048': [422, 'Media streaming not in use', 'The call has no media stream.'],
  '90103': [429, 'Dial rate exceeded', 'Too many calls were dialed within 5 seconds.'],
} as const satisfies Record<string, readonly [number, string, string]>;

export type ProblemCode = keyof typeof catalog;

export function isProblemCode(code: string): code is ProblemCode {
  return Object.hasOwn(catalog, code);
}

export interface ProblemExtras {
  detail?: string;
  /** JSON pointer of the faulty field. */
  pointer?: string;
  /**
   * An account problem such as `D38`, sent as observed at the carrier: together with data of a call that
   * never rang.
   */
  accountCode?: string;
  data?: Record<string, unknown>;
  retryAfterSeconds?: number;
}

/** A refusal in the carrier's words. */
export class Problem extends Error {
  readonly code: ProblemCode;
  readonly status: number;
  readonly extras: ProblemExtras;

  constructor(code: ProblemCode, extras: ProblemExtras = {}) {
    super(`${code} ${catalog[code][1]}`);
    this.code = code;
    this.status = catalog[code][0];
    this.extras = extras;
  }

  body(): Record<string, unknown> {
    const [, title, detail] = catalog[this.code];
    const { pointer, accountCode, data } = this.extras;
    const error = {
      code: this.code,
      title,
      detail: this.extras.detail ?? detail,
      meta: { url: `https://developers.telnyx.com/docs/overview/errors/${this.code}` },
      ...(pointer === undefined ? {} : { source: { pointer } }),
    };
    return {
      ...(data === undefined ? {} : { data }),
      errors: [error],
      ...(accountCode === undefined ? {} : { telnyx_error: { error_code: accountCode } }),
    };
  }
}
