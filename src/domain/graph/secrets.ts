import { isSecretHeader } from '../delivery/masking.ts';
import { shownSecret } from '../secrets/sealed-text.ts';
import {
  type Definition,
  isObject,
  type JsonObject,
  mapNodes,
  nodesOf,
  own,
  ownList,
  ownText,
} from './definition.ts';
import { isNodeKind, kindSpec } from './node-kinds.ts';

/**
 * Secrets inside a graph: keys that the node's kind marks `secret`, and values of custom headers whose name
 * looks secret. Answers show them masked (contract 1.1); a masked value that comes back unchanged means the
 * stored one.
 */
export function maskSecrets(definition: Definition): Definition {
  return mapSecretsOf(definition, (secret) => shownSecret(secret));
}

/** Changes every secret of a stored graph. */
export function mapSecretsOf(definition: Definition, change: (secret: string) => string): Definition {
  return mapNodes(definition, (node) => mapSecrets(node, change));
}

/**
 * Returns `next` with the stored secret for every value that equals the mask of the same node's secret, and
 * every other secret passed through `seal`.
 */
export function restoreMaskedSecrets(
  previous: Definition,
  next: Definition,
  seal: (secret: string) => string = (secret) => secret,
): Definition {
  const stored = new Map(nodesOf(previous).map((node) => [ownText(node, 'id'), secretsOf(node)]));
  return mapNodes(next, (node) => {
    const secrets = stored.get(ownText(node, 'id'));
    return mapSecrets(node, (value, place) => {
      const secret = secrets?.get(place);
      return secret !== undefined && shownSecret(secret) === value ? secret : seal(value);
    });
  });
}

type Change = (secret: string, place: string) => string;

/** Secrets by their place in the node's data. */
function secretsOf(node: JsonObject): Map<string, string> {
  const found = new Map<string, string>();
  mapSecrets(node, (secret, place) => {
    found.set(place, secret);
    return secret;
  });
  return found;
}

function mapSecrets(node: JsonObject, change: Change): JsonObject {
  const [kind, data] = [own(node, 'type'), own(node, 'data')];
  if (!isNodeKind(kind) || !isObject(data)) return node;
  const { fields } = kindSpec(kind);
  const entries = Object.entries(data).map(([key, value]): [string, unknown] => {
    const isSecret =
      Object.hasOwn(fields, key) &&
      fields[key]?.secret === true &&
      typeof value === 'string' &&
      value.trim() !== ''; // a blank value is not a secret
    return [key, isSecret ? change(value, key) : value];
  });
  const changed = Object.fromEntries(entries);
  return {
    ...node,
    data:
      kind === 'webhook' && Array.isArray(changed['custom_headers'])
        ? { ...changed, custom_headers: mapHeaders(changed, change) }
        : changed,
  };
}

/** A header's place is its name and its number among headers of that name. */
function mapHeaders(data: JsonObject, change: Change): unknown[] {
  const seen = new Map<string, number>();
  return ownList(data, 'custom_headers').map((header) => {
    if (!isObject(header)) return header;
    const [key, value] = [ownText(header, 'key'), ownText(header, 'value')];
    if (key === undefined || value === undefined || value.trim() === '' || !isSecretHeader(key))
      return header;
    const count = (seen.get(key.toLowerCase()) ?? 0) + 1;
    seen.set(key.toLowerCase(), count);
    return { ...header, value: change(value, `custom_headers:${key.toLowerCase()}:${count}`) };
  });
}
