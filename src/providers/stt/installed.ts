import { ProviderError } from '../../domain/errors.ts';
import type { Metrics } from '../../runtime/metrics.ts';
import { carrierStts } from '../carrier/stt.ts';
import { measuredStt } from './measured.ts';
import { createOpenAiStt, defaultOpenAiSttModel } from './openai-realtime.ts';
import type { CustomerStts, SttPort } from './port.ts';
import { reconnectingStt } from './reconnecting.ts';

const vendors = {
  ...carrierStts,
  openai: { create: createOpenAiStt, defaultModel: defaultOpenAiSttModel },
} as const;

export type SttVendorName = keyof typeof vendors;

export interface SttSettings {
  provider: SttVendorName;
  /** Undefined = the vendor's newest that we know. */
  model: string | undefined;
  /** Keys of the installation, by vendor. */
  keys: Readonly<Record<SttVendorName, string | undefined>>;
  /** Other addresses than the vendors' own; stand-ins and proxies. */
  urls: Readonly<Record<SttVendorName, string | undefined>>;
}

export interface InstalledStts {
  /** The installation's. */
  stt: SttPort;
  /** Its model. */
  sttModel: string;
  /** Whether it was configured. */
  hasStt: boolean;
  /** Those that customers bring. */
  customerStts: CustomerStts;
}

/** The speech recognition of a process: measured, and with sessions that outlive their connection. */
export function createStts({
  settings: { provider, model, keys, urls },
  metrics,
}: {
  settings: SttSettings;
  metrics: Metrics;
}): InstalledStts {
  const sttModel = model ?? vendors[provider].defaultModel;
  const onDropped = (frames: number) =>
    metrics.count('parlance_recognition_dropped_frames_total', {}, frames);
  const onLost = ({ reason }: ProviderError) =>
    metrics.count('parlance_recognition_reconnects_total', { reason });
  const lasting = (stt: SttPort) => measuredStt(reconnectingStt(stt, { onLost }), metrics);
  const create = (vendor: SttVendorName, options: { apiKey: string; model?: string }) =>
    lasting(vendors[vendor].create({ ...options, url: urls[vendor], onDropped }));
  return {
    stt: create(provider, { apiKey: keys[provider] ?? '', model: sttModel }),
    sttModel,
    hasStt: keys[provider] !== undefined,
    customerStts({ provider: theirs, apiKey, model: theirModel }) {
      if (!isVendor(theirs))
        throw new ProviderError('There is no such speech recognition', {
          provider: 'stt',
          retryable: false,
          reason: 'client_error',
        });
      return create(theirs, { apiKey, ...(theirModel === null ? {} : { model: theirModel }) });
    },
  };
}

function isVendor(name: string): name is SttVendorName {
  return Object.hasOwn(vendors, name);
}
