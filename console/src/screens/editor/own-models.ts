import type { JsonObject } from '../../../../src/domain/graph/definition.ts';
import { isObject, own, ownObject } from '../../../../src/domain/graph/definition.ts';
import { type Field, type Value, type Values, wordsOf } from '../../parts/form-values.ts';
import {
  providerOf,
  type Settings,
  settingsOf,
  vendorFields,
  type Vendors,
  vendorValues,
} from '../models/vendor-fields.ts';

export const services = ['llm', 'tts', 'stt'] as const;
export type Service = (typeof services)[number];
export type Catalog = Readonly<Record<Service, Vendors>>;

/** The settings of each service in an agent's own model configuration (contract 3.1). */
const pipelineOf = (configuration: unknown): JsonObject =>
  ownObject(ownObject(isObject(configuration) ? configuration : {}, 'byok'), 'pipeline');

export function serviceOf(configuration: unknown, service: Service): Settings | null {
  const found = own(pipelineOf(configuration), service);
  return isObject(found) ? found : null;
}

/** A field of a vendor. Each vendor has its own fields, so that a choice loses nothing that was typed. */
const fieldName = (service: Service, vendor: string, name: string): string => `${service}.${vendor}.${name}`;
const vendorName = (service: Service): string => `${service}.vendor`;

/** The fields of all vendors; those of the chosen ones are shown. */
export function ownModelFields(
  catalog: Catalog,
  words: {
    labelOf: (name: string) => string;
    /** What the choice of the service's vendor is called. */
    vendorOf: (service: Service) => string;
    none: string;
  },
): Field[] {
  return services.flatMap((service): Field[] => {
    const vendors = catalog[service];
    const given = {
      labelOf: words.labelOf,
      providerLabel: words.vendorOf(service),
      ...(service === 'llm' ? {} : { none: words.none }),
    };
    const choice = vendorFields(vendors, '', given).map((field) => ({
      ...field,
      name: vendorName(service),
      isRequired: service === 'llm',
    }));
    const ofVendors = Object.keys(vendors).flatMap((vendor) =>
      vendorFields(vendors, vendor, given)
        .slice(1)
        .map((field): Field => ({
          ...field,
          name: fieldName(service, vendor, field.name),
          isHalf: true,
          when: (values) => wordsOf(values, vendorName(service)) === vendor,
        })),
    );
    return [...choice, ...ofVendors];
  });
}

/** The values of the fields for a stored configuration. */
export function ownModelValues(catalog: Catalog, configuration: unknown): Values {
  const entries = services.flatMap((service): [string, Value][] => {
    const stored = serviceOf(configuration, service);
    const chosen = providerOf(stored);
    return [
      [vendorName(service), chosen === '' ? (service === 'llm' ? '' : 'none') : chosen],
      ...Object.keys(catalog[service]).flatMap((vendor) =>
        Object.entries(vendorValues(catalog[service], vendor, stored))
          .filter(([name]) => name !== 'provider')
          .map(([name, value]): [string, Value] => [fieldName(service, vendor, name), value]),
      ),
    ];
  });
  return Object.fromEntries(entries);
}

/** The configuration of the values. What has no field stays. */
export function ownModelsOf(catalog: Catalog, values: Values, configuration: unknown): JsonObject {
  const pipeline = Object.fromEntries(
    services.map((service) => {
      const vendor = wordsOf(values, vendorName(service)) || 'none';
      const prefix = fieldName(service, vendor, '');
      const given = Object.entries(values)
        .filter(([name]) => name.startsWith(prefix))
        .map(([name, value]): [string, Value] => [name.slice(prefix.length), value]);
      const chosen = { ...Object.fromEntries(given), provider: vendor };
      return [service, settingsOf(catalog[service], chosen, serviceOf(configuration, service))];
    }),
  );
  return {
    version: 2,
    mode: 'byok',
    byok: {
      mode: 'pipeline',
      pipeline: { ...pipelineOf(configuration), ...pipeline },
    },
  };
}
