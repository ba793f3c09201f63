import { nodesOf, ownText, type Definition } from './definition.ts';
import { nodeOf } from './model.ts';

/**
 * Whether an agent fetches values from the customer's system before an outbound call: its prompts may use
 * them.
 */
export function fetchesBeforeCall(definition: Definition): boolean {
  return nodesOf(definition).some((node) => {
    const mode = nodeOf(definition, ownText(node, 'id') ?? '')?.preCallFetch.mode;
    return mode === 'always' || mode === 'outbound';
  });
}
