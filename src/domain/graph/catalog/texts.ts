import type { PropertyType } from '../../../contract/node-types.ts';
import type { Fields } from '../fields.ts';
import type { NodeKind, nodeKinds } from '../node-kinds.ts';

/**
 * What the catalog says of a field beyond what the field itself says (contract 2.3, column "Catalog";
 * 14.2).
 */
export interface PropertyText {
  displayName: string;
  description: string;
  /** For language models that write graphs. */
  hint?: string;
  /** Where the field's own type does not say how it is edited. */
  type?: PropertyType;
  /** What builders fill in: not always what an absent key means. */
  default?: unknown;
  /** Builders ask for it, although a stored graph may do without. */
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
  /** What people read for a value of a choice; the value itself where there is none. */
  labels?: Readonly<Record<string, string>>;
  /** Of each row of a list of records. */
  item?: Readonly<Record<string, PropertyText>>;
}

type FieldsOf<Kind extends NodeKind> = (typeof nodeKinds)[Kind]['fields'];
type Listed<All extends Fields> = {
  [Name in keyof All as All[Name] extends { unlisted: true } ? never : Name]: PropertyText;
};

/**
 * What the catalog says of a kind of node. A field without a text, or a text without a field, does not
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
