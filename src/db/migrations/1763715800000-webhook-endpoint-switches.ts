import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Endpoints that answered 410 are off until somebody turns them on. */
export class WebhookEndpointSwitches1763715800000 implements MigrationInterface {
  name = 'WebhookEndpointSwitches1763715800000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(statement.replaceAll('"', '`'));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE `webhook_endpoint_switches`');
  }
}

const statement = `
  CREATE TABLE IF NOT EXISTS "webhook_endpoint_switches" (
    "id" bigint UNSIGNED NOT NULL AUTO_INCREMENT,
    "organization_id" bigint UNSIGNED NOT NULL,
    "endpoint_key" varchar(32) CHARACTER SET "ascii" COLLATE "ascii_bin" NOT NULL,
    "agent_id" bigint UNSIGNED NOT NULL,
    "node_id" varchar(255) CHARACTER SET "utf8mb4" COLLATE "utf8mb4_bin" NOT NULL,
    "url" longtext CHARACTER SET "utf8mb4" COLLATE "utf8mb4_bin" NOT NULL,
    "delivery_id" bigint UNSIGNED NOT NULL,
    "switched_off_at" datetime(6) NOT NULL,
    "turned_on_at" datetime(6) NULL,
    UNIQUE INDEX "uq_webhook_endpoint_switches_key" ("organization_id", "endpoint_key"),
    PRIMARY KEY ("id"),
    CONSTRAINT "fk_webhook_endpoint_switches_organization" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE NO ACTION ON UPDATE NO ACTION,
    CONSTRAINT "fk_webhook_endpoint_switches_agent" FOREIGN KEY ("agent_id") REFERENCES "agents"("id") ON DELETE NO ACTION ON UPDATE NO ACTION,
    CONSTRAINT "fk_webhook_endpoint_switches_delivery" FOREIGN KEY ("delivery_id") REFERENCES "deliveries"("id") ON DELETE NO ACTION ON UPDATE NO ACTION
  ) ENGINE=InnoDB
`;
