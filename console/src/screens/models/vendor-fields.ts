import type { Field, Value, Values } from '../../parts/form-values.ts';

/** A property of a vendor's settings, in the JSON Schema of the catalog. */
interface Property {
  type?: string;
  const?: string;
  default?: unknown;
  enum?: readonly string[];
  examples?: readonly string[];
  format?: string;
  description?: string;
  minimum?: number;
  maximum?: number;
}

export type Settings = Readonly<Record<string, unknown>>;
/** Vendors of a service by name. */
export type Vendors = Readonly<Record<string, Settings>>;

const propertiesOf = (vendor: Settings | undefined): [string, Property][] =>
  Object.entries((vendor?.['properties'] ?? {}) as Record<string, Property>).filter(
    ([name]) => name !== 'provider',
  );

export const titleOf = (vendors: Vendors, provider: string): string => {
  const title = vendors[provider]?.['title'];
  return typeof title === 'string' ? title : provider;
};

/** The provider of settings; empty if there are none. */
export const providerOf = (settings: Settings | null): string =>
  typeof settings?.['provider'] === 'string' ? settings['provider'] : '';

/** The fields of a service: its vendor, then the vendor's settings. `labelOf` names them for people. */
export function vendorFields(
  vendors: Vendors,
  provider: string,
  {
    labelOf,
    providerLabel,
    none,
  }: { labelOf: (name: string) => string; providerLabel: string; none?: string },
): readonly Field[] {
  const vendor = vendors[provider];
  const required = (vendor?.['required'] ?? []) as readonly string[];
  return [
    {
      name: 'provider',
      label: providerLabel,
      kind: 'select',
      options: [
        ...(none === undefined ? [] : [{ value: 'none', label: none }]),
        ...Object.keys(vendors).map((value) => ({ value, label: titleOf(vendors, value) })),
      ],
    },
    ...propertiesOf(vendor).map(([name, property]): Field => {
      const examples = property.examples ?? [];
      return {
        name,
        label: labelOf(name),
        kind: kindOf(property),
        isRequired: required.includes(name),
        ...(property.description === undefined ? {} : { hint: property.description }),
        ...(property.enum === undefined
          ? {}
          : { options: property.enum.map((value) => ({ value, label: value })) }),
        ...(examples[0] === undefined ? {} : { placeholder: examples[0] }),
        ...(property.minimum === undefined ? {} : { min: property.minimum }),
        ...(property.maximum === undefined ? {} : { max: property.maximum, step: 0.05 }),
        ...(property.format === 'password' ? { autoComplete: 'new-password' } : {}),
      };
    }),
  ];
}

function kindOf({ type, format, enum: values }: Property): Field['kind'] {
  if (values !== undefined) return 'select';
  if (type === 'number') return 'number';
  if (format === 'password') return 'password';
  return format === 'uri' ? 'url' : 'text';
}

/** The values of a vendor's fields: what is stored for it, otherwise the vendor's defaults. */
export function vendorValues(vendors: Vendors, provider: string, stored: Settings | null): Values {
  const mine = providerOf(stored) === provider ? (stored ?? {}) : {};
  return {
    provider: provider === '' ? 'none' : provider,
    ...Object.fromEntries(
      propertiesOf(vendors[provider]).map(([name, { type, default: preset }]): [string, Value] => {
        const value = mine[name] ?? preset;
        if (type === 'number') return [name, typeof value === 'number' ? value : null];
        return [name, typeof value === 'string' ? value : ''];
      }),
    ),
  };
}

/** The settings of the values; null stands for the installation's. Keys that have no field stay. */
export function settingsOf(
  vendors: Vendors,
  values: Values,
  stored: Settings | null,
): Record<string, unknown> | null {
  const given = values['provider'];
  const provider = typeof given === 'string' ? given : 'none';
  if (provider === 'none') return null;
  const names = propertiesOf(vendors[provider]).map(([name]) => name);
  const kept = providerOf(stored) === provider ? (stored ?? {}) : {};
  const entered = names.flatMap((name): [string, unknown][] => {
    const value = values[name];
    return value === undefined || value === null || value === '' ? [] : [[name, value]];
  });
  return {
    ...Object.fromEntries(Object.entries(kept).filter(([name]) => !names.includes(name))),
    provider,
    ...Object.fromEntries(entered),
  };
}
