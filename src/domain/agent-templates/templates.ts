import { appointmentReminder } from './appointment-reminder.ts';
import { customerSurvey } from './customer-survey.ts';
import { debtReminder } from './debt-reminder.ts';
import { deliveryConfirmation } from './delivery-confirmation.ts';
import { leadQualification } from './lead-qualification.ts';
import { supportIntake } from './support-intake.ts';
import type { AgentTemplate } from './template.ts';

/** All shipped templates, ordered by id. A new one gets the next id; ids are never reused. */
export const agentTemplates: readonly AgentTemplate[] = [
  appointmentReminder,
  leadQualification,
  debtReminder,
  customerSurvey,
  supportIntake,
  deliveryConfirmation,
];
