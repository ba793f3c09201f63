import { outboundBlock, type SetUp } from './readiness.ts';

/** The part of a connection that the choice depends on (contract 12.1). */
export interface ChoosableConfiguration extends SetUp {
  id: number;
  name: string;
  isDefaultOutbound: boolean;
}

export type ConfigurationChoice<C extends ChoosableConfiguration> =
  | { kind: 'ready'; configuration: C }
  /**
   * The named connection, or the organization's default, cannot dial; `reason` completes «… is not ready for
   * outbound calls: ».
   */
  | { kind: 'not_ready'; name: string; reason: string }
  /** The organization has no connection with that id. */
  | { kind: 'unknown' }
  /** The organization has no connection. */
  | { kind: 'none' };

export interface ConfigurationRequest {
  /** Null for the default one, else the first that is ready. */
  id: number | null;
  /** Whether this installation can dial with a provider. */
  canDial: (provider: string) => boolean;
}

/** The connection of a call (contract 5.1, 5.2). `configurations` are the organization's, oldest first. */
export function chooseConfiguration<C extends ChoosableConfiguration>(
  configurations: readonly C[],
  { id, canDial }: ConfigurationRequest,
): ConfigurationChoice<C> {
  const judge = (configuration: C): ConfigurationChoice<C> => {
    const reason = outboundBlock(configuration, canDial);
    return reason === null
      ? { kind: 'ready', configuration }
      : { kind: 'not_ready', name: configuration.name, reason };
  };
  if (id !== null) {
    const named = configurations.find((each) => each.id === id);
    return named === undefined ? { kind: 'unknown' } : judge(named);
  }
  const preferred =
    configurations.find(({ isDefaultOutbound }) => isDefaultOutbound) ??
    configurations.find((each) => outboundBlock(each, canDial) === null) ??
    configurations[0];
  return preferred === undefined ? { kind: 'none' } : judge(preferred);
}
