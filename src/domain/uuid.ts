const uuidPattern = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * True for a uuid as the service writes it. Other text names nothing, and must not be compared with ASCII
 * columns.
 */
export function isUuid(text: string): boolean {
  return uuidPattern.test(text);
}
