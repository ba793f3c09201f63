import { isSecretHeader } from '../delivery/masking.ts';
import { isSameOrigin, MovedSecretError } from '../secrets/addressee.ts';
import { shownSecret } from '../secrets/sealed-text.ts';
import {
  type Definition,
  isObject,
  type JsonObject,
  mapNodes,
  nodesOf,
  own,
  ownList,
  ownObject,
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
 * every other secret passed through `seal`. Throws ValidationError for a mask in a node that now sends to
 * another address.
 */
export function restoreMaskedSecrets(
  previous: Definition,
  next: Definition,
  seal: (secret: string) => string = (secret) => secret,
): Definition {
  const stored = new Map(nodesOf(previous).map((node) => [ownText(node, 'id'), node]));
  return mapNodes(next, (node) => {
    const before = stored.get(ownText(node, 'id'));
    const secrets = before === undefined ? undefined : secretsOf(before);
    return mapSecrets(node, (value, place) => {
      const secret = secrets?.get(place);
      if (before === undefined || secret === undefined || shownSecret(secret) !== value) return seal(value);
      if (!isSameAddressee(before, node))
        throw new MovedSecretError([`node ${ownText(node, 'id') ?? ''}`, place]);
      return secret;
    });
  });
}

/** True if two nodes are of one kind and send to the same address. */
function isSameAddressee(one: JsonObject, other: JsonObject): boolean {
  const kind = own(one, 'type');
  if (!isNodeKind(kind) || kind !== own(other, 'type')) return false;
  const fields = Object.entries(kindSpec(kind).fields).filter(([, { addressee }]) => addressee === true);
  const [left, right] = [ownObject(one, 'data'), ownObject(other, 'data')];
  return fields.every(([name]) => isSameOrigin(ownText(left, name) ?? '', ownText(right, name) ?? ''));
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
