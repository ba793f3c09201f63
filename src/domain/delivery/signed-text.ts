/** The text a webhook's signature is made over (Standard Webhooks; contract 9.2). `timestamp` in whole seconds; `body` as sent, empty when there is none. */
export function signedText({ id, timestamp, body }: { id: string; timestamp: number; body: string | null }): string {
  return `${id}.${timestamp}.${body ?? ''}`;
}
