import { CarrierError } from '../../src/domain/telephony/carrier-error.ts';
import { credentialText } from '../../src/domain/telephony/credentials.ts';
import type {
  CarrierApplication,
  CarrierNumber,
  CarrierPort,
  Carriers,
} from '../../src/providers/carrier/port.ts';

/** One account at the carrier: its objects and the requests to it. Tests replace any of it. */
export interface FakeAccounts {
  carriers: Carriers;
  /** Keys that the carrier refuses. */
  refusedKeys: Set<string>;
  applications: Map<string, CarrierApplication>;
  /** Null: every number belongs to the account and to the last created application. */
  numbers: Map<string, CarrierNumber> | null;
  /** Requests to the carrier, in order. */
  asked: string[];
  /** If set, every request fails with it. */
  failure: CarrierError | null;
}

/** The error of a carrier that does not answer. */
export const noAnswer = (): CarrierError =>
  new CarrierError('The carrier did not answer', { outcome: 'unknown', reason: 'timeout' });

/** The account part of the carrier's port, in memory; it makes no calls. */
export function createFakeAccounts(): FakeAccounts {
  const fake: FakeAccounts = {
    carriers: ({ credentials }) => account(fake, credentialText(credentials, 'api_key') ?? ''),
    refusedKeys: new Set(),
    applications: new Map(),
    numbers: null,
    asked: [],
    failure: null,
  };
  return fake;
}

/** The application that every fake account has from the start. */
export const givenApplication: CarrierApplication = {
  connectionId: '1494404757140276705',
  name: 'Given',
  webhookUrl: 'https://elsewhere.example.com/',
  isActive: true,
  hasOutboundProfile: true,
};

function account(fake: FakeAccounts, apiKey: string): CarrierPort {
  const { applications } = fake;
  if (applications.size === 0) applications.set(givenApplication.connectionId, givenApplication);
  const answer = <T>(what: string, make: () => T): Promise<T> => {
    fake.asked.push(what);
    return fake.failure === null ? Promise.resolve(make()) : Promise.reject(fake.failure);
  };
  const put = (application: CarrierApplication) => {
    applications.set(application.connectionId, application);
    return application;
  };
  const noCalls = () => Promise.reject(new Error('this account makes no calls'));
  return {
    simulated: true,
    provider: 'telnyx',
    checkCredentials: () => answer('checkCredentials', () => !fake.refusedKeys.has(apiKey)),
    findNumber: (e164) =>
      answer(`findNumber ${e164}`, () =>
        fake.numbers === null
          ? { e164, connectionId: [...applications.keys()].at(-1) ?? null }
          : (fake.numbers.get(e164) ?? null),
      ),
    findApplication: (connectionId) =>
      answer(`findApplication ${connectionId}`, () => applications.get(connectionId) ?? null),
    createApplication: ({ name, webhookUrl }) =>
      answer(`createApplication ${name}`, () =>
        put({
          connectionId: `15000000000000000${applications.size}`,
          name,
          webhookUrl,
          isActive: true,
          hasOutboundProfile: true,
        }),
      ),
    updateApplication: ({ connectionId, name, webhookUrl }) =>
      answer(`updateApplication ${connectionId} ${webhookUrl}`, () =>
        put({ connectionId, name, webhookUrl, isActive: true, hasOutboundProfile: true }),
      ),
    dial: noCalls,
    answer: noCalls,
    reject: noCalls,
    hangUp: noCalls,
    startStreaming: noCalls,
    stopStreaming: noCalls,
    speak: noCalls,
    startPlayback: noCalls,
    stopPlayback: noCalls,
    sendDtmf: noCalls,
    status: noCalls,
    findLeg: noCalls,
    createConference: noCalls,
    joinConference: noCalls,
  };
}
