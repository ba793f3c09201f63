export interface TelephonySearch {
  /** The connection that is shown. Absent: the default one. */
  connection?: number | undefined;
}

/** Reads search parameters; what is unknown is left out. */
export function telephonySearch({ connection }: Record<string, unknown>): TelephonySearch {
  const id = Number(connection);
  return Number.isInteger(id) && id > 0 ? { connection: id } : {};
}
