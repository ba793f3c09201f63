import type { CarrierPort, DialedLeg, DialRequest, LegResult } from '../../src/providers/carrier/port.ts';

/** A received command. */
export interface SentCommand {
  name: string;
  request: Record<string, unknown>;
}

/** A carrier that accepts every command. Tests replace its answers and read its requests. */
export interface FakeCarrierPort extends CarrierPort {
  sent: SentCommand[];
  /** Requests of the commands with that name, in order. */
  requests(name: string): Record<string, unknown>[];
  /** Replaces an answer; called with the request. */
  answers: Partial<{ [Name in keyof CarrierPort]: CarrierPort[Name] }>;
  /** Dialed legs by client state. */
  legs: Map<string, DialedLeg>;
}

type LegCommandName =
  | 'answer'
  | 'reject'
  | 'hangUp'
  | 'stopStreaming'
  | 'speak'
  | 'startPlayback'
  | 'stopPlayback'
  | 'sendDtmf'
  | 'joinConference';

export function createFakeCarrierPort(): FakeCarrierPort {
  const sent: SentCommand[] = [];
  const legs = new Map<string, DialedLeg>();
  const noted = (name: string, request: object): void =>
    void sent.push({ name, request: Object.fromEntries(Object.entries(request)) });
  const command =
    (name: LegCommandName) =>
    async (request: never): Promise<LegResult> => {
      noted(name, request);
      return (await port.answers[name]?.(request)) ?? 'done';
    };
  const port: FakeCarrierPort = {
    simulated: true,
    provider: 'telnyx',
    sent,
    legs,
    answers: {},
    requests: (name) => sent.filter((each) => each.name === name).map(({ request }) => request),
    dial: async (request: DialRequest) => {
      noted('dial', request);
      if (port.answers.dial !== undefined) return await port.answers.dial(request);
      return legOf(legs, request.clientState);
    },
    answer: command('answer'),
    reject: command('reject'),
    hangUp: command('hangUp'),
    startStreaming: async (request) => {
      noted('startStreaming', request);
      return (await port.answers.startStreaming?.(request)) ?? 'started';
    },
    stopStreaming: command('stopStreaming'),
    speak: command('speak'),
    startPlayback: command('startPlayback'),
    stopPlayback: command('stopPlayback'),
    sendDtmf: command('sendDtmf'),
    status: async (callControlId) => {
      noted('status', { callControlId });
      return port.answers.status === undefined ? { isAlive: true } : await port.answers.status(callControlId);
    },
    findLeg: async (request) => {
      noted('findLeg', request);
      return port.answers.findLeg === undefined
        ? (legs.get(request.clientState) ?? null)
        : await port.answers.findLeg(request);
    },
    createConference: async (request) => {
      noted('createConference', request);
      return (await port.answers.createConference?.(request)) ?? { conferenceId: 'conference-1' };
    },
    joinConference: command('joinConference'),
    checkCredentials: async () => (await port.answers.checkCredentials?.()) ?? true,
    findNumber: () => Promise.resolve(null),
    findApplication: () => Promise.resolve(null),
    createApplication: ({ name, webhookUrl }) =>
      Promise.resolve({ connectionId: 'c1', name, webhookUrl, isActive: true, hasOutboundProfile: true }),
    updateApplication: ({ connectionId, name, webhookUrl }) =>
      Promise.resolve({ connectionId, name, webhookUrl, isActive: true, hasOutboundProfile: true }),
  };
  return port;
}

/** The phone rings: the carrier has the leg from now on. */
export function legOf(legs: Map<string, DialedLeg>, clientState: string): DialedLeg {
  const leg = {
    callControlId: `v3:${clientState}`,
    legId: `leg-${legs.size + 1}-${clientState.slice(0, 8)}`,
    sessionId: `session-${clientState.slice(0, 8)}`,
  };
  legs.set(clientState, leg);
  return leg;
}
