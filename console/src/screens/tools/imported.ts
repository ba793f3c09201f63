import type { Parameter } from './tool-values.ts';

/** A request that was read from elsewhere, as the form of a new tool begins. */
export interface ImportedTool {
  name: string;
  description: string;
  definition: {
    type: 'http_api';
    config: {
      method: string;
      url: string;
      headers: Record<string, string>;
      parameters: readonly Parameter[];
    };
  };
  /** Headers with secrets. They are not taken over: a credential keeps them. */
  secrets: readonly string[];
  /** Parts of the address that are values of the call. */
  fromCall: readonly string[];
}

export type ImportFault = 'empty' | 'unreadable' | 'no_address' | 'file' | 'no_operations';

export class NotImported extends Error {
  readonly fault: ImportFault;
  constructor(fault: ImportFault) {
    super(fault);
    this.fault = fault;
  }
}

/** Whether a name suggests a secret, as the service reads the names of headers. */
export const isSecretName = (name: string): boolean =>
  /auth|token|secret|passw|cookie|credential|api[-_]?key|access-key/i.test(name);

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** The nearest method that a tool can have. */
export const methodOf = (name: string): string =>
  methods.includes(name.toUpperCase()) ? name.toUpperCase() : 'GET';

/** The type of an argument, of an example of it. */
export function typeOf(value: unknown): string {
  if (Array.isArray(value)) return 'array';
  const type = typeof value;
  return ['number', 'boolean', 'object'].includes(type) && value !== null ? type : 'string';
}

/**
 * Reads a curl command, or an OpenAPI document as JSON or YAML. A document has a tool for each of its operations.
 * Throws NotImported.
 */
export async function readImport(text: string): Promise<ImportedTool[]> {
  const words = text.trim();
  if (words === '') throw new NotImported('empty');
  if (/^(\$\s*)?curl\s/.test(words)) return [(await import('./import-curl.ts')).readCurl(words)];
  const { readOpenApi } = await import('./import-openapi.ts');
  return readOpenApi(words);
}
