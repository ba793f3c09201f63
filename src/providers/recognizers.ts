import { ProviderError } from '../domain/errors.ts';
import type { Metrics } from '../runtime/metrics.ts';
import { carrierStts } from './carrier/stt.ts';
import { measuredStt } from './stt/measured.ts';
import { createOpenAiStt, defaultOpenAiSttModel } from './stt/openai-realtime.ts';
import type { CustomerStts, SttPort } from './stt/port.ts';
import { reconnectingStt } from './stt/reconnecting.ts';

const vendors = {
  ...carrierStts,
  openai: { create: createOpenAiStt, defaultModel: defaultOpenAiSttModel },
} as const;

export type SttVendorName = keyof typeof vendors;

export interface SttSettings {
  provider: SttVendorName;
  /** Undefined means the vendor's newest model that we know. */
  model: string | undefined;
  /** The installation's keys, by vendor. */
  keys: Readonly<Record<SttVendorName, string | undefined>>;
  /** URLs that replace the vendors' own: emulators and proxies. */
  urls: Readonly<Record<SttVendorName, string | undefined>>;
}

export interface InstalledStts {
  /** The installation's recognizer. */
  stt: SttPort;
  /** Its model. */
  sttModel: string;
  /** The installation has a key for it. */
  hasStt: boolean;
  /** Recognizers with customers' keys. */
  customerStts: CustomerStts;
}

/** The recognizers of a process: measured, with sessions that survive a lost connection. */
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
        throw new ProviderError('The speech recognition vendor is unknown', {
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
