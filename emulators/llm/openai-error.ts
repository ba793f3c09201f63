/** A refusal in OpenAI's shape: `{ error: { message, type, param, code } }`. */
export class OpenAiError extends Error {
  override readonly name = 'OpenAiError';
  readonly status: number;
  readonly type: string;
  readonly param: string | null;
  readonly code: string | null;

  constructor(
    status: number,
    message: string,
    { param = null, code = null }: { param?: string | null; code?: string | null } = {},
  ) {
    super(message);
    this.status = status;
    this.type = typeOf(status);
    this.param = param;
    this.code = code;
  }

  body(): unknown {
    return { error: { message: this.message, type: this.type, param: this.param, code: this.code } };
  }
}

function typeOf(status: number): string {
  if (status === 429) return 'rate_limit_error';
  return status >= 500 ? 'server_error' : 'invalid_request_error';
}
