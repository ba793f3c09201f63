interface Address {
  host?: string;
  port?: number;
  socketPath?: string;
  password?: string;
  database: string;
}

/** The parts of a database URL, with the account under the key that the reader wants. */
export function addressOf<K extends 'username' | 'user' = 'username'>(text: string, accountKey?: K): Address & Record<K, string> {
  const url = new URL(text);
  const socketPath = url.searchParams.get('socketPath');
  const place = socketPath === null ? { host: url.hostname, port: url.port === '' ? 3306 : Number(url.port) } : { socketPath };
  const account = { [accountKey ?? 'username']: decodeURIComponent(url.username) } as Record<K, string>;
  return { ...place, ...account, password: decodeURIComponent(url.password), database: decodeURIComponent(url.pathname.slice(1)) };
}
