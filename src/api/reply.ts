/** An answer that is not a JSON body with status 200. */
export class Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly content: { kind: 'json'; value: unknown } | { kind: 'text'; text: string } | { kind: 'empty' };

  constructor(status: number, content: Reply['content'], headers: Readonly<Record<string, string>> = {}) {
    this.status = status;
    this.content = content;
    this.headers = headers;
  }
}

export const jsonReply = (status: number, value: unknown, headers?: Readonly<Record<string, string>>): Reply => new Reply(status, { kind: 'json', value }, headers);

export const redirect = (location: string): Reply => new Reply(302, { kind: 'empty' }, { Location: location, 'Cache-Control': 'no-store' });

export const textReply = (text: string, headers?: Readonly<Record<string, string>>): Reply => new Reply(200, { kind: 'text', text }, headers);
