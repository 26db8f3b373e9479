// The way of an installation whose services shared one relay role to a role for each: processes of both versions work beside
// each other, and what the shared role could do ends with the last process that uses it.

import { rm } from "node:fs/promises";
import { schemas } from "@ems/deploy/schemas";
import { startEmbeddedPostgres } from "@ems/dev/postgres";
import { temporaryDir } from "@ems/dev/temporary-dir";
import { migrate } from "@ems/kit/db/migrate";
import { provisionDatabase, rolesOf, urlFor } from "@ems/kit/db/provision";
import { hasOutbox, ownerRole, relayRole, runtimeRole, type Schema, sharedRelayRole } from "@ems/kit/db/schema";
import { claimDue } from "@ems/kit/events/relay";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";

const passwords = Object.fromEntries([...rolesOf(schemas), sharedRelayRole].map((role) => [role, `word-of-${role}`]));
const dataDir = await temporaryDir("ems-shared-relay-");
const server = await startEmbeddedPostgres({ dataDir, volatile: true });
const adminUrl = new URL("/ems", server.url).href;
const pools: pg.Pool[] = [];
afterAll(async () => {
  for (const pool of pools) await pool.end();
  await server.stop();
  await rm(dataDir, { recursive: true, force: true });
});

const ownerUrl = urlFor(adminUrl, ownerRole, passwords);
/** Migrations as the version before had them, which knew of no role for each, and of no service for evaluation. */
const isEarlierService = ({ name }: { name: string }) => name !== "evaluation";
const firstOfEvaluation = 1_763_830_000_000;
const before = schemas.filter(isEarlierService).map((schema): Schema => {
  const isEarlier = ({ name }: { name: string }) =>
    !/^(?:OwnRelay|SearchTraces|CreateEventLog)/.test(name) && Number(name.slice(-13)) < firstOfEvaluation;
  return { ...schema, entities: [], migrations: schema.migrations.filter(isEarlier) };
});

async function asAdmin(statement: string, url = adminUrl) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(statement)).rows;
  } finally {
    await client.end();
  }
}

function poolAs(role: string): pg.Pool {
  const pool = new pg.Pool({ connectionString: urlFor(adminUrl, role, passwords), max: 1, idleTimeoutMillis: 0 });
  pool.on("error", () => undefined);
  pools.push(pool);
  return pool;
}

/** An event is in the outbox; `pool` carries it. */
async function carries(pool: pg.Pool, schema: string): Promise<boolean> {
  await asAdmin(
    `TRUNCATE ${schema}.outbox; INSERT INTO ${schema}.outbox (application_id, id, org_id, type, subject, message, occurred_at)
     VALUES (gen_random_uuid(), gen_random_uuid(), 'org', 'topic.created', 'subject', 'told', now())`,
  );
  const run = async (statement: { readonly text: string }) => {
    const { rows, rowCount } = await pool.query({ text: statement.text });
    return { rows, rowCount: rowCount ?? 0 };
  };
  const claimed = await claimDue({ batch: (statements) => Promise.all(statements.map(run)) }, schema);
  return claimed.length === 1;
}

beforeAll(async () => {
  await asAdmin("CREATE DATABASE ems", server.url);
  // As `prepare` of the version before left it.
  await asAdmin(`CREATE ROLE ${sharedRelayRole} LOGIN PASSWORD '${passwords[sharedRelayRole]}'`);
  await asAdmin(`CREATE ROLE ${ownerRole} LOGIN PASSWORD '${passwords[ownerRole]}'`);
  for (const schema of schemas) {
    await asAdmin(`CREATE ROLE ${runtimeRole(schema)} LOGIN; CREATE SCHEMA ${schema.name} AUTHORIZATION ${ownerRole};
      GRANT USAGE ON SCHEMA ${schema.name} TO ${runtimeRole(schema)}, ${sharedRelayRole}`);
  }
  await asAdmin(`GRANT CONNECT ON DATABASE ems TO ${sharedRelayRole}`);
});

test("roles that are missing are named before anything is changed", async () => {
  await expect(migrate(ownerUrl, schemas)).rejects.toThrow(
    "lacks roles of the product: ems_identity_relay, ems_catalog_relay, ems_experiments_relay, ems_evaluation_relay, ems_notifications_relay. Run prepare",
  );
  expect(await asAdmin("SELECT to_regclass('catalog.outbox') AS outbox")).toEqual([{ outbox: null }]);
});

test("the shared role goes on while a process uses it, beside the new ones, and has no right afterwards", async () => {
  const outboxes = schemas.filter(hasOutbox);
  await migrate(ownerUrl, before);
  const old = poolAs(sharedRelayRole);
  for (const { name } of outboxes.filter(isEarlierService)) expect(await carries(old, name)).toBe(true);

  for (let times = 0; times < 2; times++) {
    await provisionDatabase(adminUrl, schemas, passwords);
    await migrate(ownerUrl, schemas);
    for (const schema of outboxes) {
      if (isEarlierService(schema)) expect(await carries(old, schema.name)).toBe(true);
      expect(await carries(poolAs(relayRole(schema)), schema.name)).toBe(true);
    }
  }
  expect((await old.query("SELECT FROM notifications.delivery")).rows).toEqual([]);

  await old.end();
  pools.splice(pools.indexOf(old), 1);
  const users = "SELECT FROM pg_stat_activity WHERE usename = 'ems_relay'";
  await expect.poll(() => asAdmin(users)).toEqual([]);
  await provisionDatabase(adminUrl, schemas, passwords);
  await migrate(ownerUrl, schemas);
  await expect(poolAs(sharedRelayRole).query("SELECT")).rejects.toMatchObject({ code: "28P01" });
  expect(
    await asAdmin(
      "SELECT FROM pg_shdepend WHERE refclassid = 'pg_authid'::regclass AND refobjid = 'ems_relay'::regrole",
    ),
  ).toEqual([]);
  for (const schema of outboxes) expect(await carries(poolAs(relayRole(schema)), schema.name)).toBe(true);
});
