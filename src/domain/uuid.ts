const uuidPattern = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * True for a uuid as the service writes it. What is none names nothing, and must not be compared with columns
 * that hold ASCII only.
 */
export function isUuid(text: string): boolean {
  return uuidPattern.test(text);
}
