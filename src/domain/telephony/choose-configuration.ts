/** A carrier connection of an organization, as far as the choice looks at it (contract 12.1). */
export interface ChoosableConfiguration {
  id: number;
  name: string;
  provider: string;
  isDefaultOutbound: boolean;
  isInactive: boolean;
  activeNumbers: number;
}

export type ConfigurationChoice<C extends ChoosableConfiguration> =
  | { kind: 'ready'; configuration: C }
  /** The one that was named, or the organization's default, cannot dial; `reason` completes «… is not ready for outbound calls: ». */
  | { kind: 'not_ready'; name: string; reason: string }
  /** The id that was named is nobody's, or another organization's. */
  | { kind: 'unknown' }
  /** The organization has none. */
  | { kind: 'none' };

export interface ConfigurationWish {
  /** Null = the default one, else the first that is ready. */
  id: number | null;
  /** Whether this installation can dial with a provider. */
  canDial: (provider: string) => boolean;
}

/** The connection of a call (contract 5.1, 5.2). `configurations` are the organization's own, oldest first. */
export function chooseConfiguration<C extends ChoosableConfiguration>(configurations: readonly C[], { id, canDial }: ConfigurationWish): ConfigurationChoice<C> {
  const judge = (configuration: C): ConfigurationChoice<C> => {
    const reason = outboundBlock(configuration, canDial);
    return reason === null ? { kind: 'ready', configuration } : { kind: 'not_ready', name: configuration.name, reason };
  };
  if (id !== null) {
    const named = configurations.find((each) => each.id === id);
    return named === undefined ? { kind: 'unknown' } : judge(named);
  }
  const preferred = configurations.find(({ isDefaultOutbound }) => isDefaultOutbound) ?? configurations.find((each) => outboundBlock(each, canDial) === null) ?? configurations[0];
  return preferred === undefined ? { kind: 'none' } : judge(preferred);
}

/** Why nothing can be dialed with it; null when it is ready. */
function outboundBlock({ provider, isInactive, activeNumbers }: ChoosableConfiguration, canDial: (provider: string) => boolean): string | null {
  if (isInactive) return 'it is switched off';
  if (!canDial(provider)) return `this installation cannot dial with ${provider}`;
  return activeNumbers === 0 ? 'it has no active phone number' : null;
}
