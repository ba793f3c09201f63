/** A refusal in S3's words. */
export class S3Problem extends Error {
  override readonly name = 'S3Problem';
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}
