import type { PropertyType } from '../../../contract/node-types.ts';
import type { Fields } from '../fields.ts';
import type { NodeKind, nodeKinds } from '../node-kinds.ts';

/** The catalog's texts for a field (contract 2.3, column "Catalog"; 14.2). */
export interface PropertyText {
  displayName: string;
  description: string;
  /** For language models that write graphs. */
  hint?: string;
  /** Set when the field's own type does not determine how it is edited. */
  type?: PropertyType;
  /** The value that builders fill in; an absent key may mean something else. */
  default?: unknown;
  /** Builders require it, although a stored graph may omit it. */
  required?: true;
  placeholder?: string;
  /** Shown when each of these fields has one of its values. */
  show?: Readonly<Record<string, readonly unknown[]>>;
  minValue?: number;
  maxValue?: number;
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  editor?: 'textarea';
  /** Labels for the values of a choice; a value without one is its own label. */
  labels?: Readonly<Record<string, string>>;
  /** Texts of the fields of each record in a list. */
  item?: Readonly<Record<string, PropertyText>>;
}

type FieldsOf<Kind extends NodeKind> = (typeof nodeKinds)[Kind]['fields'];
type Listed<All extends Fields> = {
  [Name in keyof All as All[Name] extends { unlisted: true } ? never : Name]: PropertyText;
};

/**
 * The catalog's texts for a kind of node. A field without a text, or a text without a field, does not
 * compile.
 */
export interface KindTexts<Kind extends NodeKind> {
  description: string;
  hint: string | null;
  icon: string;
  properties: Listed<FieldsOf<Kind>>;
  examples: readonly { name: string; description: string; data: Readonly<Record<string, unknown>> }[];
}

/** The first field of every kind. */
export const nameText = (initial: string, use: string): PropertyText => ({
  displayName: 'Name',
  description: `A short name for this ${use}. Logs, reports and fault messages show it.`,
  default: initial,
  minLength: 1,
});

/** A switch. */
export const flagText = (
  initial: boolean,
  displayName: string,
  description: string,
  more: Partial<PropertyText> = {},
): PropertyText => ({ displayName, description, default: initial, ...more });
