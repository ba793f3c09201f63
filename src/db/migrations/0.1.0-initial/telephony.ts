import { longText, noAction, text, uuid, word } from './types.ts';

/** Carriers, phone numbers and media hosts. */
export const telephony = [
  `CREATE TABLE IF NOT EXISTS telephony_configurations (
    id                     bigint UNSIGNED  NOT NULL AUTO_INCREMENT,
    organization_id        bigint UNSIGNED  NOT NULL,
    name                   ${text(64)}      NOT NULL,
    provider               ${word(32)}      NOT NULL,
    connectivity           ${word(8)}       NOT NULL,
    is_default_outbound    tinyint          NULL,
    credentials_encrypted  ${longText}      NOT NULL,
    inactive_since         datetime(6)      NULL,
    inactive_reason        ${longText}      NULL,
    created_at             datetime(6)      NOT NULL,
    updated_at             datetime(6)      NOT NULL,
    PRIMARY KEY (id),
    UNIQUE INDEX uq_telephony_configurations_name (organization_id, name),
    UNIQUE INDEX uq_telephony_configurations_default (organization_id, is_default_outbound),
    CONSTRAINT fk_telephony_configurations_organization FOREIGN KEY (organization_id) REFERENCES organizations (id) ${noAction}
  ) ENGINE=InnoDB`,
  `CREATE TABLE IF NOT EXISTS phone_numbers (
    id                    bigint UNSIGNED  NOT NULL AUTO_INCREMENT,
    organization_id       bigint UNSIGNED  NOT NULL,
    configuration_id      bigint UNSIGNED  NOT NULL,
    address               ${text(255)}     NOT NULL,
    address_normalized    ${text(255)}     NOT NULL,
    address_type          ${word(16)}      NOT NULL,
    country_code          ${word(2)}       NULL,
    label                 ${text(64)}      NULL,
    inbound_agent_id      bigint UNSIGNED  NULL,
    is_active             tinyint          NOT NULL,
    is_default_caller_id  tinyint          NULL,
    extra_metadata        ${longText}      NOT NULL,
    created_at            datetime(6)      NOT NULL,
    updated_at            datetime(6)      NOT NULL,
    PRIMARY KEY (id),
    UNIQUE INDEX uq_phone_numbers_address (organization_id, address_normalized),
    UNIQUE INDEX uq_phone_numbers_default_caller (configuration_id, is_default_caller_id),
    CONSTRAINT fk_phone_numbers_organization FOREIGN KEY (organization_id) REFERENCES organizations (id) ${noAction},
    CONSTRAINT fk_phone_numbers_configuration FOREIGN KEY (configuration_id) REFERENCES telephony_configurations (id) ${noAction},
    CONSTRAINT fk_phone_numbers_inbound_agent FOREIGN KEY (inbound_agent_id) REFERENCES agents (id) ${noAction}
  ) ENGINE=InnoDB`,
  `CREATE TABLE IF NOT EXISTS carrier_outages (
    configuration_id  bigint UNSIGNED  NOT NULL,
    organization_id   bigint UNSIGNED  NOT NULL,
    faults            int UNSIGNED     NOT NULL,
    since             datetime(6)      NOT NULL,
    last_fault_at     datetime(6)      NOT NULL,
    probes            int UNSIGNED     NOT NULL,
    probe_at          datetime(6)      NOT NULL,
    answered_at       datetime(6)      NULL,
    PRIMARY KEY (configuration_id),
    CONSTRAINT fk_carrier_outages_organization FOREIGN KEY (organization_id) REFERENCES organizations (id) ${noAction}
  ) ENGINE=InnoDB`,
  `CREATE TABLE IF NOT EXISTS installation_stops (
    what    ${word(32)}  NOT NULL,
    since   datetime(6)  NOT NULL,
    reason  ${longText}  NOT NULL,
    PRIMARY KEY (what)
  ) ENGINE=InnoDB`,
  `CREATE TABLE IF NOT EXISTS media_hosts (
    id                ${uuid}       NOT NULL,
    host_queue        ${word(96)}   NOT NULL,
    public_url        ${longText}   NOT NULL,
    probe_url         ${longText}   NOT NULL,
    started_at        datetime(6)   NOT NULL,
    lease_expires_at  datetime(6)   NOT NULL,
    is_draining       tinyint       NOT NULL,
    live_calls        int UNSIGNED  NOT NULL,
    max_calls         int UNSIGNED  NOT NULL,
    lost_at           datetime(6)   NULL,
    lost_reported_at      datetime(6)   NULL,
    PRIMARY KEY (id),
    INDEX ix_media_hosts_lease (lost_reported_at, lease_expires_at)
  ) ENGINE=InnoDB`,
];
