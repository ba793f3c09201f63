import { CarrierError } from '../../domain/telephony/carrier-error.ts';
import type { Metrics } from '../../runtime/metrics.ts';
import type { CarrierPort, Carriers } from './port.ts';

type CommandName = {
  [Name in keyof CarrierPort]: CarrierPort[Name] extends (...args: never[]) => Promise<unknown>
    ? Name
    : never;
}[keyof CarrierPort];

/** Wraps the accounts at carriers, and measures the time and outcome of every command. */
export function measuredCarriers(carriers: Carriers, metrics: Metrics): Carriers {
  const known = new WeakMap<CarrierPort, CarrierPort>();
  return (credentials) => {
    const carrier = carriers(credentials);
    const measured = known.get(carrier) ?? measuredCarrier(carrier, metrics);
    known.set(carrier, measured);
    return measured;
  };
}

function measuredCarrier(carrier: CarrierPort, metrics: Metrics): CarrierPort {
  const timed =
    <Args extends unknown[], Answer>(command: CommandName, run: (...args: Args) => Promise<Answer>) =>
    async (...args: Args): Promise<Answer> => {
      const begun = performance.now();
      let outcome = 'other';
      try {
        const answer = await run(...args);
        outcome = answer === 'over' ? 'over' : answer === 'busy' ? 'busy' : 'done';
        return answer;
      } catch (error) {
        if (error instanceof CarrierError) ({ outcome } = error);
        throw error;
      } finally {
        metrics.count('parlance_carrier_commands_total', {
          command: labelOf(command),
          command_outcome: outcome,
        });
        metrics.observe(
          'parlance_carrier_command_seconds',
          { command: labelOf(command) },
          (performance.now() - begun) / 1000,
        );
      }
    };
  return {
    simulated: carrier.simulated,
    provider: carrier.provider,
    dial: timed('dial', (request) => carrier.dial(request)),
    answer: timed('answer', (request) => carrier.answer(request)),
    reject: timed('reject', (request) => carrier.reject(request)),
    hangUp: timed('hangUp', (request) => carrier.hangUp(request)),
    startStreaming: timed('startStreaming', (request) => carrier.startStreaming(request)),
    stopStreaming: timed('stopStreaming', (request) => carrier.stopStreaming(request)),
    speak: timed('speak', (request) => carrier.speak(request)),
    startPlayback: timed('startPlayback', (request) => carrier.startPlayback(request)),
    stopPlayback: timed('stopPlayback', (request) => carrier.stopPlayback(request)),
    sendDtmf: timed('sendDtmf', (request) => carrier.sendDtmf(request)),
    status: timed('status', (callControlId) => carrier.status(callControlId)),
    findLeg: timed('findLeg', (request) => carrier.findLeg(request)),
    createConference: timed('createConference', (request) => carrier.createConference(request)),
    joinConference: timed('joinConference', (request) => carrier.joinConference(request)),
    checkCredentials: timed('checkCredentials', () => carrier.checkCredentials()),
    findNumber: timed('findNumber', (e164) => carrier.findNumber(e164)),
    findApplication: timed('findApplication', (connectionId) => carrier.findApplication(connectionId)),
    createApplication: timed('createApplication', (request) => carrier.createApplication(request)),
    updateApplication: timed('updateApplication', (request) => carrier.updateApplication(request)),
  };
}

/** The metric's label of a command: `hang_up` for `hangUp`. */
const labelOf = (command: CommandName): string =>
  command.replaceAll(/[A-Z]/g, (capital) => `_${capital.toLowerCase()}`);
