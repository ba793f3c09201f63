import type { Config } from './env.ts';

/** What clients may know about an installation (contract 13.4). */
export interface Installation {
  /** Parts that an emulator stands in for. */
  simulated: { llm: boolean; stt: boolean; tts: boolean; carrier: boolean };
  /** Pages of the operator; null for those that the installation does not have. */
  links: { temporalUi: string | null; traces: string | null };
}

/** Only an emulator accepts a key that begins with `simulated`. */
const isSimulated = (key: string | undefined): boolean => key?.startsWith('simulated') === true;

/** `simulated` is what the providers answer as their `simulated`, without loading them. */
export const installationOf = ({
  llm,
  stt,
  tts,
  carrierUrls,
  temporal,
  tracing,
}: Pick<Config, 'llm' | 'stt' | 'tts' | 'carrierUrls' | 'temporal' | 'tracing'>): Installation => ({
  simulated: {
    llm: isSimulated(llm.apiKey),
    stt: isSimulated(stt.keys[stt.provider]),
    tts:
      tts.provider === 'google'
        ? tts.google.endpoint?.startsWith('http:') === true
        : isSimulated(tts.openai.apiKey),
    carrier: Object.values(carrierUrls).some((url) => url !== undefined),
  },
  links: {
    temporalUi:
      temporal.uiUrl === undefined ? null : `${temporal.uiUrl}/namespaces/${temporal.namespace}/workflows`,
    traces: URL.parse(tracing?.traceUrl ?? '')?.origin ?? null,
  },
});
