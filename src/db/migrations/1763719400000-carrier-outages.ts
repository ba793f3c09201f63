import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What is known of carriers that take no dials. */
export class CarrierOutages1763719400000 implements MigrationInterface {
  name = 'CarrierOutages1763719400000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(carrierOutages.replaceAll('"', '`'));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE `carrier_outages`');
  }
}

const carrierOutages = `
  CREATE TABLE IF NOT EXISTS "carrier_outages" (
    "configuration_id" bigint UNSIGNED NOT NULL,
    "organization_id" bigint UNSIGNED NOT NULL,
    "faults" int UNSIGNED NOT NULL,
    "since" datetime(6) NOT NULL,
    "last_fault_at" datetime(6) NOT NULL,
    "probes" int UNSIGNED NOT NULL,
    "probe_at" datetime(6) NOT NULL,
    "answered_at" datetime(6) NULL,
    PRIMARY KEY ("configuration_id"),
    CONSTRAINT "fk_carrier_outages_organization" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE NO ACTION ON UPDATE NO ACTION
  ) ENGINE=InnoDB
`;
