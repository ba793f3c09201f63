import { NotFoundError } from '../../domain/errors.ts';
import { findNodeType, nodeTypes } from '../../domain/graph/catalog/node-specs.ts';
import type { Handlers } from '../bind.ts';

/** Catalog of node types (contract 14.2), the same for all organizations. */
export function nodeTypeHandlers<Caller>(): Pick<Handlers<Caller>, 'listNodeTypes' | 'getNodeType'> {
  return {
    listNodeTypes: () => Promise.resolve(nodeTypes()),
    getNodeType: async ({ input: { params } }) => findNodeType(params.name) ?? unknownType(params.name),
  };
}

function unknownType(name: string): never {
  throw new NotFoundError(`Unknown node type: '${name}'`);
}
