import type { ConfigurationDefaults } from '../../contract/organizations.ts';
import { defaultSettings } from '../../contract/data/default-settings.ts';
import { inactivityLimits } from '../../contract/settings.ts';
import { carrierDispositions, dispositions } from '../../domain/call/dispositions.ts';
import type { ServiceContext } from '../../services/kernel/index.ts';
import { changePreferences, getOrganizationContext, getPreferences } from '../../services/identity/index.ts';
import { serviceCatalogs } from '../../services/models/index.ts';
import type { Handlers } from '../bind.ts';

type OrganizationRoute =
  | 'getOrganizationContext'
  | 'getPreferences'
  | 'updatePreferences'
  | 'listDispositionCodes'
  | 'getConfigurationDefaults';

const dispositionCodes = {
  codes: [...dispositions],
  end_task_reason_codes: dispositions.filter((each) => !carrierDispositions.has(each)),
};

const defaults: ConfigurationDefaults = {
  ...serviceCatalogs,
  workflow_configurations: defaultSettings,
  text_chat_inactivity_timeout_constraints: {
    default_seconds: defaultSettings.text_chat_inactivity_timeout_seconds,
    minimum_seconds: inactivityLimits.ge,
    maximum_seconds: inactivityLimits.le,
  },
  widget_text_defaults: {},
};

/** The caller's organization (contract 13.3), and the defaults (3.1). */
export const organizationHandlers: Pick<Handlers<ServiceContext>, OrganizationRoute> = {
  getOrganizationContext: ({ ctx }) => getOrganizationContext({ ctx }),
  getPreferences: ({ ctx }) => getPreferences({ ctx }),
  updatePreferences: ({ ctx, input: { body } }) =>
    changePreferences({
      ctx,
      input: {
        testPhoneNumber: body.test_phone_number,
        timezone: body.timezone,
        externalPbxEnabled: body.external_pbx_integrations_enabled,
      },
    }),
  listDispositionCodes: () => Promise.resolve(dispositionCodes),
  getConfigurationDefaults: () => Promise.resolve(defaults),
};
