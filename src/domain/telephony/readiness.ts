import { credentialText, hasRequired, type Credentials } from './credentials.ts';
import { setupRules } from './providers.ts';

/** The part of a connection that has to be set up before it can dial. */
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
  /**
   * Completes «… is not ready for outbound calls: » until the step is complete; null for an optional step.
   */
  blocks: string | null;
}

/**
 * The steps of the setup, in order (contract 12.1). `canDial` says whether this installation supports a
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
      description: 'A switched-off connection has to be reactivated by hand.',
      isComplete: !isInactive,
      blocks: 'it is switched off',
    },
    {
      key: 'provider',
      title: 'Supported carrier',
      description: 'This installation has to support the carrier.',
      isComplete: canDial(provider),
      blocks: `this installation cannot dial with ${provider}`,
    },
    {
      key: 'credentials',
      title: 'Credentials',
      description: 'They authenticate this connection at the carrier.',
      isComplete: hasRequired(provider, credentials),
      blocks: 'its credentials are not complete',
    },
    ...ofCarrier,
    {
      key: 'phone_number',
      title: 'Phone number',
      description: 'An active number of the account, which callees see.',
      isComplete: activeNumbers > 0,
      blocks: 'it has no active phone number',
    },
  ];
}

/** Why the connection cannot dial; null if it is ready. */
export function outboundBlock(setUp: SetUp, canDial: (provider: string) => boolean): string | null {
  return (
    setupSteps(setUp, canDial).find(({ isComplete, blocks }) => !isComplete && blocks !== null)?.blocks ??
    null
  );
}
