import { nodesOf, ownText, type Definition } from './definition.ts';
import { nodeOf } from './model.ts';

/**
 * Whether an agent asks the customer's system before it calls somebody: what its prompts want may come from
 * there.
 */
export function fetchesBeforeCall(definition: Definition): boolean {
  return nodesOf(definition).some((node) => {
    const mode = nodeOf(definition, ownText(node, 'id') ?? '')?.preCallFetch.mode;
    return mode === 'always' || mode === 'outbound';
  });
}
