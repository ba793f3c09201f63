import { appointmentReminder } from './appointment-reminder.ts';
import { customerSurvey } from './customer-survey.ts';
import { debtReminder } from './debt-reminder.ts';
import { deliveryConfirmation } from './delivery-confirmation.ts';
import { leadQualification } from './lead-qualification.ts';
import { supportIntake } from './support-intake.ts';
import type { AgentTemplate } from './template.ts';

/**
 * Every template that is shipped, in the order of their ids. A new one gets the next id; ids are never given
 * again.
 */
export const agentTemplates: readonly AgentTemplate[] = [
  appointmentReminder,
  leadQualification,
  debtReminder,
  customerSurvey,
  supportIntake,
  deliveryConfirmation,
];
