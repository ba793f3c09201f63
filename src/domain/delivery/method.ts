const withoutBody: ReadonlySet<string> = new Set(['GET', 'DELETE']);

/** True if requests with this method carry a body (contract 9.2). */
export function takesBody(method: string): boolean {
  return !withoutBody.has(method);
}
