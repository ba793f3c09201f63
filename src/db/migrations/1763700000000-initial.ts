import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The first schema. A process that died in the middle of it leaves whole tables, which the next one skips. */
export class Initial1763700000000 implements MigrationInterface {
  name = 'Initial1763700000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of tables) await runner.query(statement.replaceAll('"', '`'));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('SET FOREIGN_KEY_CHECKS = 0');
    for (const statement of tables)
      await runner.query(`DROP TABLE ${/"\w+"/.exec(statement)?.[0].replaceAll('"', '`')}`);
    await runner.query('SET FOREIGN_KEY_CHECKS = 1');
  }
}

/** In the order in which rows refer to each other. Names are in double quotes here and in backticks on the server. */
const tables = [
  `
    CREATE TABLE IF NOT EXISTS "organizations" (
      "id" bigint UNSIGNED NOT NULL AUTO_INCREMENT,
      "uuid" char(36) CHARACTER SET "ascii" COLLATE "ascii_bin" NOT NULL,
      "name" longtext CHARACTER SET "utf8mb4" COLLATE "utf8mb4_bin" NOT NULL,
      "created_at" datetime(6) NOT NULL,
      UNIQUE INDEX "uq_organizations_uuid" ("uuid"),
      PRIMARY KEY ("id")
    ) ENGINE=InnoDB
  `,
  `
    CREATE TABLE IF NOT EXISTS "users" (
      "id" bigint UNSIGNED NOT NULL AUTO_INCREMENT,
      "uuid" char(36) CHARACTER SET "ascii" COLLATE "ascii_bin" NOT NULL,
      "organization_id" bigint UNSIGNED NOT NULL,
      "email" varchar(254) CHARACTER SET "utf8mb4" COLLATE "utf8mb4_bin" NOT NULL,
      "name" longtext CHARACTER SET "utf8mb4" COLLATE "utf8mb4_bin" NULL,
      "password_hash" varchar(255) CHARACTER SET "ascii" COLLATE "ascii_bin" NULL,
      "is_superuser" tinyint NOT NULL,
      "created_at" datetime(6) NOT NULL,
      UNIQUE INDEX "uq_users_uuid" ("uuid"),
      UNIQUE INDEX "uq_users_email" ("email"),
      PRIMARY KEY ("id"),
      CONSTRAINT "fk_users_organization" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE NO ACTION ON UPDATE NO ACTION
    ) ENGINE=InnoDB
  `,
  `
    CREATE TABLE IF NOT EXISTS "sessions" (
      "id" bigint UNSIGNED NOT NULL AUTO_INCREMENT,
      "uuid" char(36) CHARACTER SET "ascii" COLLATE "ascii_bin" NOT NULL,
      "organization_id" bigint UNSIGNED NOT NULL,
      "user_id" bigint UNSIGNED NOT NULL,
      "token_hash" varchar(64) CHARACTER SET "ascii" COLLATE "ascii_bin" NOT NULL,
      "created_at" datetime(6) NOT NULL,
      "expires_at" datetime(6) NOT NULL,
      "revoked_at" datetime(6) NULL,
      UNIQUE INDEX "uq_sessions_uuid" ("uuid"),
      UNIQUE INDEX "uq_sessions_token_hash" ("token_hash"),
      PRIMARY KEY ("id"),
      CONSTRAINT "fk_sessions_organization" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE NO ACTION ON UPDATE NO ACTION,
      CONSTRAINT "fk_sessions_user" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE NO ACTION ON UPDATE NO ACTION
    ) ENGINE=InnoDB
  `,
  `
    CREATE TABLE IF NOT EXISTS "api_keys" (
      "id" bigint UNSIGNED NOT NULL AUTO_INCREMENT,
      "organization_id" bigint UNSIGNED NOT NULL,
      "user_id" bigint UNSIGNED NOT NULL,
      "name" longtext CHARACTER SET "utf8mb4" COLLATE "utf8mb4_bin" NOT NULL,
      "prefix" varchar(16) CHARACTER SET "ascii" COLLATE "ascii_bin" NOT NULL,
      "key_hash" varchar(64) CHARACTER SET "ascii" COLLATE "ascii_bin" NOT NULL,
      "created_at" datetime(6) NOT NULL,
      "last_used_at" datetime(6) NULL,
      "archived_at" datetime(6) NULL,
      UNIQUE INDEX "uq_api_keys_key_hash" ("key_hash"),
      PRIMARY KEY ("id"),
      CONSTRAINT "fk_api_keys_organization" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE NO ACTION ON UPDATE NO ACTION,
      CONSTRAINT "fk_api_keys_user" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE NO ACTION ON UPDATE NO ACTION
    ) ENGINE=InnoDB
  `,
  `
    CREATE TABLE IF NOT EXISTS "agents" (
      "id" bigint UNSIGNED NOT NULL AUTO_INCREMENT,
      "uuid" char(36) CHARACTER SET "ascii" COLLATE "ascii_bin" NOT NULL,
      "organization_id" bigint UNSIGNED NOT NULL,
      "name" longtext CHARACTER SET "utf8mb4" COLLATE "utf8mb4_bin" NOT NULL,
      "state" varchar(16) CHARACTER SET "ascii" COLLATE "ascii_bin" NOT NULL,
      "disposition_codes" longtext CHARACTER SET "utf8mb4" COLLATE "utf8mb4_bin" NOT NULL,
      "published_version_id" bigint UNSIGNED NULL,
      "draft_version_id" bigint UNSIGNED NULL,
      "last_version_number" int UNSIGNED NOT NULL,
      "created_at" datetime(6) NOT NULL,
      "updated_at" datetime(6) NOT NULL,
      UNIQUE INDEX "uq_agents_uuid" ("uuid"),
      INDEX "ix_agents_organization" ("organization_id", "created_at"),
      PRIMARY KEY ("id"),
      CONSTRAINT "fk_agents_organization" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE NO ACTION ON UPDATE NO ACTION
    ) ENGINE=InnoDB
  `,
  `
    CREATE TABLE IF NOT EXISTS "agent_versions" (
      "id" bigint UNSIGNED NOT NULL AUTO_INCREMENT,
      "organization_id" bigint UNSIGNED NOT NULL,
      "agent_id" bigint UNSIGNED NOT NULL,
      "number" int UNSIGNED NOT NULL,
      "state" varchar(16) CHARACTER SET "ascii" COLLATE "ascii_bin" NOT NULL,
      "definition" longtext CHARACTER SET "utf8mb4" COLLATE "utf8mb4_bin" NOT NULL,
      "settings" longtext CHARACTER SET "utf8mb4" COLLATE "utf8mb4_bin" NOT NULL,
      "test_values" longtext CHARACTER SET "utf8mb4" COLLATE "utf8mb4_bin" NOT NULL,
      "definition_sha256" varchar(64) CHARACTER SET "ascii" COLLATE "ascii_bin" NOT NULL,
      "created_at" datetime(6) NOT NULL,
      "published_at" datetime(6) NULL,
      UNIQUE INDEX "uq_agent_versions_number" ("agent_id", "number"),
      PRIMARY KEY ("id"),
      CONSTRAINT "fk_agent_versions_organization" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE NO ACTION ON UPDATE NO ACTION,
      CONSTRAINT "fk_agent_versions_agent" FOREIGN KEY ("agent_id") REFERENCES "agents"("id") ON DELETE NO ACTION ON UPDATE NO ACTION
    ) ENGINE=InnoDB
  `,
  `
    CREATE TABLE IF NOT EXISTS "trigger_paths" (
      "path" varchar(36) CHARACTER SET "ascii" COLLATE "ascii_bin" NOT NULL,
      "organization_id" bigint UNSIGNED NOT NULL,
      "agent_id" bigint UNSIGNED NOT NULL,
      "created_at" datetime(6) NOT NULL,
      INDEX "ix_trigger_paths_agent" ("agent_id"),
      PRIMARY KEY ("path"),
      CONSTRAINT "fk_trigger_paths_organization" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE NO ACTION ON UPDATE NO ACTION,
      CONSTRAINT "fk_trigger_paths_agent" FOREIGN KEY ("agent_id") REFERENCES "agents"("id") ON DELETE NO ACTION ON UPDATE NO ACTION
    ) ENGINE=InnoDB
  `,
  `
    CREATE TABLE IF NOT EXISTS "credentials" (
      "id" bigint UNSIGNED NOT NULL AUTO_INCREMENT,
      "uuid" char(36) CHARACTER SET "ascii" COLLATE "ascii_bin" NOT NULL,
      "organization_id" bigint UNSIGNED NOT NULL,
      "name" varchar(255) CHARACTER SET "utf8mb4" COLLATE "utf8mb4_bin" NOT NULL,
      "live_name" varchar(255) CHARACTER SET "utf8mb4" COLLATE "utf8mb4_bin" NULL,
      "description" longtext CHARACTER SET "utf8mb4" COLLATE "utf8mb4_bin" NULL,
      "type" varchar(32) CHARACTER SET "ascii" COLLATE "ascii_bin" NOT NULL,
      "data_encrypted" longtext CHARACTER SET "utf8mb4" COLLATE "utf8mb4_bin" NOT NULL,
      "created_at" datetime(6) NOT NULL,
      "updated_at" datetime(6) NOT NULL,
      "deleted_at" datetime(6) NULL,
      UNIQUE INDEX "uq_credentials_uuid" ("uuid"),
      UNIQUE INDEX "uq_credentials_live_name" ("organization_id", "live_name"),
      PRIMARY KEY ("id"),
      CONSTRAINT "fk_credentials_organization" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE NO ACTION ON UPDATE NO ACTION
    ) ENGINE=InnoDB
  `,
  `
    CREATE TABLE IF NOT EXISTS "calls" (
      "id" bigint UNSIGNED NOT NULL AUTO_INCREMENT,
      "uuid" char(36) CHARACTER SET "ascii" COLLATE "ascii_bin" NOT NULL,
      "organization_id" bigint UNSIGNED NOT NULL,
      "agent_id" bigint UNSIGNED NOT NULL,
      "version_id" bigint UNSIGNED NOT NULL,
      "name" longtext CHARACTER SET "utf8mb4" COLLATE "utf8mb4_bin" NOT NULL,
      "mode" varchar(32) CHARACTER SET "ascii" COLLATE "ascii_bin" NOT NULL,
      "channel" varchar(16) CHARACTER SET "ascii" COLLATE "ascii_bin" NOT NULL,
      "direction" varchar(16) CHARACTER SET "ascii" COLLATE "ascii_bin" NOT NULL,
      "source" varchar(16) CHARACTER SET "ascii" COLLATE "ascii_bin" NOT NULL,
      "state" varchar(16) CHARACTER SET "ascii" COLLATE "ascii_bin" NOT NULL,
      "is_test" tinyint NOT NULL,
      "configuration_id" bigint UNSIGNED NULL,
      "phone_number_id" bigint UNSIGNED NULL,
      "caller_number" longtext CHARACTER SET "utf8mb4" COLLATE "utf8mb4_bin" NULL,
      "called_number" longtext CHARACTER SET "utf8mb4" COLLATE "utf8mb4_bin" NULL,
      "initial_context" longtext CHARACTER SET "utf8mb4" COLLATE "utf8mb4_bin" NOT NULL,
      "gathered_context" longtext CHARACTER SET "utf8mb4" COLLATE "utf8mb4_bin" NOT NULL,
      "usage_info" longtext CHARACTER SET "utf8mb4" COLLATE "utf8mb4_bin" NOT NULL,
      "logs" longtext CHARACTER SET "utf8mb4" COLLATE "utf8mb4_bin" NOT NULL,
      "annotations" longtext CHARACTER SET "utf8mb4" COLLATE "utf8mb4_bin" NOT NULL,
      "disposition" longtext CHARACTER SET "utf8mb4" COLLATE "utf8mb4_bin" NULL,
      "tags" longtext CHARACTER SET "utf8mb4" COLLATE "utf8mb4_bin" NOT NULL,
      "public_token" char(36) CHARACTER SET "ascii" COLLATE "ascii_bin" NULL,
      "transcript_available" tinyint NOT NULL,
      "created_at" datetime(6) NOT NULL,
      "started_at" datetime(6) NULL,
      "ended_at" datetime(6) NULL,
      UNIQUE INDEX "uq_calls_uuid" ("uuid"),
      UNIQUE INDEX "uq_calls_public_token" ("public_token"),
      INDEX "ix_calls_agent" ("organization_id", "agent_id", "created_at"),
      INDEX "ix_calls_state" ("state", "created_at"),
      PRIMARY KEY ("id"),
      CONSTRAINT "fk_calls_organization" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE NO ACTION ON UPDATE NO ACTION,
      CONSTRAINT "fk_calls_agent" FOREIGN KEY ("agent_id") REFERENCES "agents"("id") ON DELETE NO ACTION ON UPDATE NO ACTION,
      CONSTRAINT "fk_calls_version" FOREIGN KEY ("version_id") REFERENCES "agent_versions"("id") ON DELETE NO ACTION ON UPDATE NO ACTION
    ) ENGINE=InnoDB
  `,
  `
    CREATE TABLE IF NOT EXISTS "text_sessions" (
      "call_id" bigint UNSIGNED NOT NULL,
      "organization_id" bigint UNSIGNED NOT NULL,
      "revision" int UNSIGNED NOT NULL,
      "branch" int UNSIGNED NOT NULL,
      "status" varchar(32) CHARACTER SET "ascii" COLLATE "ascii_bin" NOT NULL,
      "cursor_turn_uuid" char(36) CHARACTER SET "ascii" COLLATE "ascii_bin" NULL,
      "checkpoint" longtext CHARACTER SET "utf8mb4" COLLATE "utf8mb4_bin" NULL,
      "updated_at" datetime(6) NOT NULL,
      PRIMARY KEY ("call_id"),
      CONSTRAINT "fk_text_sessions_organization" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE NO ACTION ON UPDATE NO ACTION,
      CONSTRAINT "fk_text_sessions_call" FOREIGN KEY ("call_id") REFERENCES "calls"("id") ON DELETE NO ACTION ON UPDATE NO ACTION
    ) ENGINE=InnoDB
  `,
  `
    CREATE TABLE IF NOT EXISTS "turns" (
      "id" bigint UNSIGNED NOT NULL AUTO_INCREMENT,
      "uuid" char(36) CHARACTER SET "ascii" COLLATE "ascii_bin" NOT NULL,
      "organization_id" bigint UNSIGNED NOT NULL,
      "call_id" bigint UNSIGNED NOT NULL,
      "branch" int UNSIGNED NOT NULL,
      "turn_index" int UNSIGNED NOT NULL,
      "user_text" longtext CHARACTER SET "utf8mb4" COLLATE "utf8mb4_bin" NULL,
      "user_at" datetime(6) NULL,
      "reply_text" longtext CHARACTER SET "utf8mb4" COLLATE "utf8mb4_bin" NULL,
      "reply_at" datetime(6) NULL,
      "lines" longtext CHARACTER SET "utf8mb4" COLLATE "utf8mb4_bin" NOT NULL,
      "events" longtext CHARACTER SET "utf8mb4" COLLATE "utf8mb4_bin" NOT NULL,
      "usage_info" longtext CHARACTER SET "utf8mb4" COLLATE "utf8mb4_bin" NOT NULL,
      "checkpoint" longtext CHARACTER SET "utf8mb4" COLLATE "utf8mb4_bin" NOT NULL,
      "created_at" datetime(6) NOT NULL,
      UNIQUE INDEX "uq_turns_uuid" ("uuid"),
      UNIQUE INDEX "uq_turns_place" ("call_id", "branch", "turn_index"),
      PRIMARY KEY ("id"),
      CONSTRAINT "fk_turns_organization" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE NO ACTION ON UPDATE NO ACTION,
      CONSTRAINT "fk_turns_call" FOREIGN KEY ("call_id") REFERENCES "calls"("id") ON DELETE NO ACTION ON UPDATE NO ACTION
    ) ENGINE=InnoDB
  `,
  `
    CREATE TABLE IF NOT EXISTS "deliveries" (
      "id" bigint UNSIGNED NOT NULL AUTO_INCREMENT,
      "uuid" char(36) CHARACTER SET "ascii" COLLATE "ascii_bin" NOT NULL,
      "organization_id" bigint UNSIGNED NOT NULL,
      "call_id" bigint UNSIGNED NOT NULL,
      "agent_id" bigint UNSIGNED NOT NULL,
      "node_id" varchar(255) CHARACTER SET "utf8mb4" COLLATE "utf8mb4_bin" NOT NULL,
      "state" varchar(16) CHARACTER SET "ascii" COLLATE "ascii_bin" NOT NULL,
      "method" varchar(8) CHARACTER SET "ascii" COLLATE "ascii_bin" NOT NULL,
      "url" longtext CHARACTER SET "utf8mb4" COLLATE "utf8mb4_bin" NOT NULL,
      "headers" longtext CHARACTER SET "utf8mb4" COLLATE "utf8mb4_bin" NOT NULL,
      "credential_uuid" char(36) CHARACTER SET "ascii" COLLATE "ascii_bin" NULL,
      "body" longtext CHARACTER SET "utf8mb4" COLLATE "utf8mb4_bin" NULL,
      "attempt_count" int UNSIGNED NOT NULL,
      "last_status_code" int UNSIGNED NULL,
      "last_error" longtext CHARACTER SET "utf8mb4" COLLATE "utf8mb4_bin" NULL,
      "next_attempt_at" datetime(6) NULL,
      "created_at" datetime(6) NOT NULL,
      "finished_at" datetime(6) NULL,
      UNIQUE INDEX "uq_deliveries_uuid" ("uuid"),
      UNIQUE INDEX "uq_deliveries_call_node" ("call_id", "node_id"),
      INDEX "ix_deliveries_state" ("organization_id", "state", "created_at"),
      PRIMARY KEY ("id"),
      CONSTRAINT "fk_deliveries_organization" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE NO ACTION ON UPDATE NO ACTION,
      CONSTRAINT "fk_deliveries_call" FOREIGN KEY ("call_id") REFERENCES "calls"("id") ON DELETE NO ACTION ON UPDATE NO ACTION,
      CONSTRAINT "fk_deliveries_agent" FOREIGN KEY ("agent_id") REFERENCES "agents"("id") ON DELETE NO ACTION ON UPDATE NO ACTION
    ) ENGINE=InnoDB
  `,
  `
    CREATE TABLE IF NOT EXISTS "delivery_attempts" (
      "id" bigint UNSIGNED NOT NULL AUTO_INCREMENT,
      "organization_id" bigint UNSIGNED NOT NULL,
      "delivery_id" bigint UNSIGNED NOT NULL,
      "number" int UNSIGNED NOT NULL,
      "state" varchar(16) CHARACTER SET "ascii" COLLATE "ascii_bin" NOT NULL,
      "started_at" datetime(6) NOT NULL,
      "duration_ms" int UNSIGNED NULL,
      "status_code" int UNSIGNED NULL,
      "error" longtext CHARACTER SET "utf8mb4" COLLATE "utf8mb4_bin" NULL,
      "response_excerpt" longtext CHARACTER SET "utf8mb4" COLLATE "utf8mb4_bin" NULL,
      UNIQUE INDEX "uq_delivery_attempts_number" ("delivery_id", "number"),
      PRIMARY KEY ("id"),
      CONSTRAINT "fk_delivery_attempts_organization" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE NO ACTION ON UPDATE NO ACTION,
      CONSTRAINT "fk_delivery_attempts_delivery" FOREIGN KEY ("delivery_id") REFERENCES "deliveries"("id") ON DELETE NO ACTION ON UPDATE NO ACTION
    ) ENGINE=InnoDB
  `,
  `
    CREATE TABLE IF NOT EXISTS "webhook_secrets" (
      "id" bigint UNSIGNED NOT NULL AUTO_INCREMENT,
      "uuid" char(36) CHARACTER SET "ascii" COLLATE "ascii_bin" NOT NULL,
      "organization_id" bigint UNSIGNED NOT NULL,
      "secret_encrypted" longtext CHARACTER SET "utf8mb4" COLLATE "utf8mb4_bin" NOT NULL,
      "created_at" datetime(6) NOT NULL,
      "retired_at" datetime(6) NULL,
      UNIQUE INDEX "uq_webhook_secrets_uuid" ("uuid"),
      INDEX "ix_webhook_secrets_organization" ("organization_id", "created_at"),
      PRIMARY KEY ("id"),
      CONSTRAINT "fk_webhook_secrets_organization" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE NO ACTION ON UPDATE NO ACTION
    ) ENGINE=InnoDB
  `,
  `
    CREATE TABLE IF NOT EXISTS "idempotency_keys" (
      "id" bigint UNSIGNED NOT NULL AUTO_INCREMENT,
      "organization_id" bigint UNSIGNED NOT NULL,
      "idempotency_key" varchar(255) CHARACTER SET "ascii" COLLATE "ascii_bin" NOT NULL,
      "request_hash" varchar(64) CHARACTER SET "ascii" COLLATE "ascii_bin" NOT NULL,
      "state" varchar(16) CHARACTER SET "ascii" COLLATE "ascii_bin" NOT NULL,
      "claim_expires_at" datetime(6) NOT NULL,
      "subject_kind" varchar(32) CHARACTER SET "ascii" COLLATE "ascii_bin" NULL,
      "subject_id" bigint UNSIGNED NULL,
      "response_status" int UNSIGNED NULL,
      "response_body" longtext CHARACTER SET "utf8mb4" COLLATE "utf8mb4_bin" NULL,
      "created_at" datetime(6) NOT NULL,
      "expires_at" datetime(6) NOT NULL,
      UNIQUE INDEX "uq_idempotency_keys_key" ("organization_id", "idempotency_key"),
      INDEX "ix_idempotency_keys_expires_at" ("expires_at"),
      PRIMARY KEY ("id"),
      CONSTRAINT "fk_idempotency_keys_organization" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE NO ACTION ON UPDATE NO ACTION
    ) ENGINE=InnoDB
  `,
  `
    CREATE TABLE IF NOT EXISTS "audit_events" (
      "id" bigint UNSIGNED NOT NULL AUTO_INCREMENT,
      "uuid" char(36) CHARACTER SET "ascii" COLLATE "ascii_bin" NOT NULL,
      "organization_id" bigint UNSIGNED NOT NULL,
      "actor_kind" varchar(16) CHARACTER SET "ascii" COLLATE "ascii_bin" NOT NULL,
      "actor_id" bigint UNSIGNED NULL,
      "action" varchar(64) CHARACTER SET "ascii" COLLATE "ascii_bin" NOT NULL,
      "subject_kind" varchar(32) CHARACTER SET "ascii" COLLATE "ascii_bin" NOT NULL,
      "subject_id" bigint UNSIGNED NULL,
      "changes" longtext CHARACTER SET "utf8mb4" COLLATE "utf8mb4_bin" NOT NULL,
      "request_id" varchar(128) CHARACTER SET "ascii" COLLATE "ascii_bin" NULL,
      "created_at" datetime(6) NOT NULL,
      UNIQUE INDEX "uq_audit_events_uuid" ("uuid"),
      INDEX "ix_audit_events_subject" ("organization_id", "subject_kind", "subject_id"),
      PRIMARY KEY ("id"),
      CONSTRAINT "fk_audit_events_organization" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE NO ACTION ON UPDATE NO ACTION
    ) ENGINE=InnoDB
  `,
];
