import { destinationPattern } from '../../contract/data/destination-patterns.ts';
import { parseTemplate } from '../template/parse.ts';
import type { ToolNames } from './collision-rules.ts';
import { isObject, type JsonObject, own, ownList, ownObject, ownText } from './definition.ts';
import { toolFunctionName } from './function-name.ts';

/** What the rules of graphs need to know about the tools of a graph. */
export interface GraphTools {
  toolNames: ToolNames;
  /** Tools that let the conversation choose any destination of a transfer, by uuid. */
  unboundTransfers: ReadonlySet<string>;
  /** Tools that take a wish not to be called again, by uuid. */
  optOutTools: ReadonlySet<string>;
}

export interface StoredTool {
  uuid: string;
  name: string;
  category: string;
  definition: JsonObject;
}

/** The same for the server, which checks what is stored, and for the editor, which checks what is typed. */
export function graphTools(tools: readonly StoredTool[]): GraphTools {
  const unbound = tools.filter(
    ({ category, definition }) =>
      category === 'transfer_call' && lacksAllowedDestinations(ownObject(definition, 'config')),
  );
  return {
    toolNames: new Map(tools.map((tool) => [tool.uuid, toolFunctionName(tool)])),
    unboundTransfers: new Set(unbound.map(({ uuid }) => uuid)),
    optOutTools: new Set(tools.filter(isOptOut).map(({ uuid }) => uuid)),
  };
}

const isOptOut = ({ definition }: StoredTool): boolean =>
  own(definition, 'type') === 'native' && own(ownObject(definition, 'config'), 'action') === 'do_not_call';

/** True if the conversation chooses the destination, and the tool does not say which ones are allowed. */
export function lacksAllowedDestinations(config: JsonObject): boolean {
  return allowedDestinations(config).length === 0 && isChosenByConversation(config);
}

/** The patterns of `allowed_destinations` of a transfer. */
export function allowedDestinations(config: JsonObject): string[] {
  return ownList(config, 'allowed_destinations').filter(
    (each): each is string => typeof each === 'string' && destinationPattern.test(each),
  );
}

/** True if the tool itself says that the conversation chooses a destination. */
function isChosenByConversation(config: JsonObject): boolean {
  const source = own(config, 'destination_source');
  const templates =
    source === 'context_mapping'
      ? templatesOf(ownObject(config, 'context_mapping'))
      : [ownText(config, 'destination')];
  return source === 'dynamic' || templates.some((each) => namesIn(each).some(isLearnedName));
}

function templatesOf(mapping: JsonObject): (string | undefined)[] {
  const routes = ownList(mapping, 'rules')
    .filter(isObject)
    .flatMap((rule) => ownList(rule, 'routes').filter(isObject));
  return [...routes.map((route) => ownText(route, 'destination')), ownText(mapping, 'fallback_destination')];
}

/** Names of the placeholders of a template. */
export function namesIn(template: string | undefined): string[] {
  return parseTemplate(template ?? '').flatMap((each) => (each.kind === 'placeholder' ? [each.name] : []));
}

/** Whether a name says that its value is one of the conversation. */
export const isLearnedName = (name: string): boolean => name.startsWith('gathered_context');
