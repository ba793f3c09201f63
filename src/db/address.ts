export interface Address {
  place: { host: string; port: number } | { socketPath: string };
  account: string;
  password: string;
  database: string;
}

/**
 * The parts of a database URL: `mysql://account:password@host:port/database`, `?socketPath=/path` for a Unix
 * socket.
 */
export function readAddress(text: string): Address {
  const url = new URL(text);
  const socketPath = url.searchParams.get('socketPath');
  return {
    place:
      socketPath === null
        ? { host: url.hostname, port: url.port === '' ? 3306 : Number(url.port) }
        : { socketPath },
    account: decodeURIComponent(url.username),
    password: decodeURIComponent(url.password),
    database: decodeURIComponent(url.pathname.slice(1)),
  };
}
