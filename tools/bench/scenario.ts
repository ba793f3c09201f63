import type { Section } from './report.ts';
import type { MeasuredPhone } from './phone/service.ts';
import type { MeasuredService } from './service.ts';

export interface ScenarioOptions {
  service: MeasuredService;
  /** Few repetitions: a smoke test with rough figures. */
  isQuick: boolean;
  /** Calls of the two memory scenarios. */
  calls: number;
  /** Prints a progress line. */
  print: (line: string) => void;
}

export type Scenario = (options: ScenarioOptions) => Promise<Section>;

export interface PhoneScenarioOptions extends Omit<ScenarioOptions, 'service'> {
  phone: MeasuredPhone;
}

export type PhoneScenario = (options: PhoneScenarioOptions) => Promise<Section>;
