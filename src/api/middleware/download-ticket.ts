/** The ticket of a download and what it is for (contract 6.9). */
export interface DownloadTicket {
  ticket: string;
  /** Path and query of the download, without the ticket. */
  address: string;
}

/** The address of a download with its ticket at the end. */
export const withTicket = ({ ticket, address }: DownloadTicket): string =>
  `${address}${address.includes('?') ? '&' : '?'}ticket=${ticket}`;

/** The ticket at the end of an address, if there is one. */
export function ticketIn(url: string): DownloadTicket | undefined {
  const [, address, ticket] = /^(.+)[?&]ticket=([\w.-]+)$/.exec(url) ?? [];
  return address === undefined || ticket === undefined ? undefined : { address, ticket };
}
