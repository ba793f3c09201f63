import { credentialText, hasRequired, type Credentials } from './credentials.ts';
import { setupRules } from './providers.ts';

/** A connection, as far as it has to be set up before anybody can be called with it. */
export interface SetUp {
  provider: string;
  credentials: Credentials;
  isInactive: boolean;
  activeNumbers: number;
}

export interface SetupStep {
  key: string;
  title: string;
  description: string;
  isComplete: boolean;
  /** Completes «… is not ready for outbound calls: » while it is not done; null for what need not be. */
  blocks: string | null;
}

/**
 * What there is to do, in order (contract 12.1). `canDial` says whether this installation speaks with a
 * provider.
 */
export function setupSteps(
  { provider, credentials, isInactive, activeNumbers }: SetUp,
  canDial: (provider: string) => boolean,
): SetupStep[] {
  const has = (name: string) => credentialText(credentials, name) !== null;
  const ofCarrier = setupRules(provider).map(({ field, isComplete, ...step }) => ({
    ...step,
    isComplete: isComplete === 'whenPresent' ? has(field) : credentials[field] !== false,
  }));
  return [
    {
      key: 'active',
      title: 'Switched on',
      description: 'A connection that was switched off is reactivated by hand.',
      isComplete: !isInactive,
      blocks: 'it is switched off',
    },
    {
      key: 'provider',
      title: 'Supported carrier',
      description: 'This installation has to speak with the carrier.',
      isComplete: canDial(provider),
      blocks: `this installation cannot dial with ${provider}`,
    },
    {
      key: 'credentials',
      title: 'Credentials',
      description: 'What proves to the carrier who calls.',
      isComplete: hasRequired(provider, credentials),
      blocks: 'its credentials are not complete',
    },
    ...ofCarrier,
    {
      key: 'phone_number',
      title: 'Phone number',
      description: 'An active number of the account, to be shown to whom is called.',
      isComplete: activeNumbers > 0,
      blocks: 'it has no active phone number',
    },
  ];
}

/** Why nothing can be dialed with it; null when it is ready. */
export function outboundBlock(setUp: SetUp, canDial: (provider: string) => boolean): string | null {
  return (
    setupSteps(setUp, canDial).find(({ isComplete, blocks }) => !isComplete && blocks !== null)?.blocks ??
    null
  );
}
