// A stolen password of a service's relay role: it opens that service's outbox and nothing else.

import { deployConfig } from "@ems/dev/config";
import { buildProcessEnvironment, freePorts } from "@ems/dev/environment";
import { joinInstallation } from "@ems/dev/installation";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startAttacked } from "../harness/attacked-product.ts";
import { nowhere } from "../harness/names.ts";

const product = await startAttacked("mesh");
const installation = await joinInstallation(deployConfig({ DATA_DIR: product.facts.dataDir }), () => undefined);
const stolen = buildProcessEnvironment("catalog", {}, installation, freePorts()).RELAY_DATABASE_URL ?? "";
const thief = new pg.Pool({ connectionString: stolen, max: 1 });
afterAll(() => thief.end());

/** PostgreSQL's answer: rows, or the code of the refusal. */
const rowsAsRelay = (text: string) =>
  thief.query(text).then(
    ({ rows }) => rows,
    (error: unknown) => (error instanceof pg.DatabaseError ? error.code : Promise.reject(error)),
  );
const refused = "42501";

beforeAll(async () => {
  const { api } = await product.tenant();
  expect((await api.post("/v0/webhook", { url: nowhere })).status).toBe(200);
  expect((await api.post("/v0/topics", { title: "Told to one's own webhook" })).status).toBe(201);
  expect((await api.post("/v0/feedback", { feedback: "Nobody else's business" })).status).toBe(200);
});

test("a stolen relay password of catalog reads no other service's outbox, inbox, mail or deliveries", async () => {
  expect(await rowsAsRelay("SELECT type, message FROM catalog.outbox")).toEqual([
    { type: "topic.created", message: expect.any(Buffer) },
  ]);
  for (const table of [
    ...[
      "identity.outbox",
      "experiments.outbox",
      "notifications.outbox",
      "notifications.inbox",
      "notifications.attempt",
    ],
    ...["notifications.delivery", "notifications.mail_job", "notifications.feedback", "notifications.dead_event"],
    ...["catalog.topic", "identity.api_key", "reporting.test_v1"],
  ]) {
    expect([table, await rowsAsRelay(`SELECT count(*) FROM ${table}`)]).toEqual([table, refused]);
    expect([table, await rowsAsRelay(`SELECT application_id FROM ${table} LIMIT 1`)]).toEqual([table, refused]);
  }
});

test("variant: it changes no delivery, reads no webhook's secret, and rewrites no event that it publishes", async () => {
  for (const text of [
    "UPDATE notifications.delivery SET status = 'DELIVERED', next_attempt_at = NULL",
    "DELETE FROM notifications.delivery",
    "INSERT INTO notifications.inbox SELECT application_id, id, now() FROM catalog.outbox",
    "SELECT secret, previous_secret, headers FROM notifications.webhook",
    "UPDATE notifications.webhook SET failure_streak = 1000",
    "UPDATE catalog.outbox SET message = 'told'",
    "INSERT INTO catalog.outbox SELECT * FROM catalog.outbox",
    "SET ROLE ems_notifications_relay",
    "SET ROLE ems_owner",
  ]) {
    expect([text, await rowsAsRelay(text)]).toEqual([text, refused]);
  }
});
