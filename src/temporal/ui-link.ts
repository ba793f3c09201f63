import { callWorkflowId } from '../domain/temporal-ids.ts';

/** Link to a call in Temporal UI; null when no UI is configured. */
export function callUiLink({
  uiUrl,
  namespace,
  callUuid,
}: {
  uiUrl: string | undefined;
  namespace: string;
  callUuid: string;
}): string | null {
  if (uiUrl === undefined) return null;
  return `${uiUrl}/namespaces/${encodeURIComponent(namespace)}/workflows/${encodeURIComponent(callWorkflowId(callUuid))}`;
}
