// Erasure of a user in a mesh whose processes are killed meanwhile: others erase the rest, and everything is counted once.

import { ownerRole } from "@ems/kit/db/schema";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { erasedUser, fillUser } from "../harness/erasable-user.ts";
import { type FaultMesh, startFaultMesh } from "../harness/fault-mesh.ts";
import { unlimited } from "../harness/unlimited.ts";
import { newWriterWithoutWebhook, type Writer } from "../harness/writer.ts";

const { user } = erasedUser;
let mesh: FaultMesh;
let writer: Writer;
beforeAll(async () => {
  mesh = await startFaultMesh(unlimited);
  writer = await newWriterWithoutWebhook(mesh);
});
afterAll(() => mesh?.close());

// biome-ignore lint/suspicious/noExplicitAny: answers are read by their documented fields
async function send(path: string, json?: object, headers?: Record<string, string>): Promise<any> {
  const answer = await writer.send(json === undefined ? "GET" : "POST", path, json, headers);
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${text}`);
  return text === "" ? undefined : JSON.parse(text);
}

/** Locks a row, so that the erasing process waits within its transaction; returns a function that releases it. */
async function lock(table: string, where: string, id: string) {
  const client = new pg.Client({ connectionString: mesh.installation.urlAs(ownerRole) });
  await client.connect();
  await client.query("BEGIN");
  await client.query("SELECT set_config('ems.application_id', $1, true)", [writer.applicationId]);
  const { rowCount } = await client.query(`SELECT FROM ${table} WHERE ${where} = $1 FOR UPDATE`, [id]);
  expect(rowCount).toBe(1);
  return () => client.end();
}
const waiting = async (role: string) => {
  const text = "SELECT FROM pg_stat_activity WHERE usename = $1 AND wait_event_type = 'Lock'";
  return (await mesh.sql(text, [role])).length;
};
/** Ends the leases of dead processes at once. */
const endLeases = async () => {
  await mesh.sql("UPDATE experiments.erasure SET due_at = now() WHERE due_at > now()");
  await mesh.sql("UPDATE experiments.erasure_work SET due_at = now() WHERE due_at > now()");
};
const oneOf = async (text: string, values = [writer.applicationId]) =>
  (await mesh.sql<{ id: string }>(`${text} LIMIT 1`, values))[0]?.id ?? "";

test("killed in each service, the rest is erased by others, everything once, and a repeat finds nothing", async () => {
  const { applicationId } = writer;
  const counts = await fillUser({
    databaseUrl: mesh.databaseUrl,
    applicationId,
    traces: 1_000,
    tests: 200,
    foreign: 20,
    send,
  });
  const mine =
    "SELECT t.id FROM traces.trace t WHERE t.application_id = $1 AND t.end_user = $2 AND t.test_id IS NOT NULL";
  const traceId = await oneOf(mine, [applicationId, user]);
  await send("/v0/tasks/from-trace", { traceId });
  const jobId = await oneOf("SELECT id FROM evaluation.job WHERE application_id = $1");
  const deliveryId = await oneOf("SELECT id FROM notifications.delivery WHERE application_id = $1 AND kind = 'PROMPT'");

  const unlockTrace = await lock("traces.trace", "id", traceId);
  const { data } = await send("/v0/erasures", { user });
  const erasure = async () => (await send(`/v0/erasures/${data.id}`)).data;
  await expect.poll(() => waiting("ems_traces")).toBe(1);
  await mesh.kill("experiments");
  await unlockTrace();
  const left = "SELECT FROM traces.trace WHERE application_id = $1 AND end_user = $2";
  expect(await mesh.sql(left, [applicationId, user])).not.toEqual([]);
  const stop = await mesh.startAnother("experiments");
  await endLeases();
  await expect.poll(() => mesh.sql(left, [applicationId, user])).toEqual([]);

  const unlockJob = await lock("evaluation.job", "id", jobId);
  const unlockDelivery = await lock("notifications.delivery", "id", deliveryId);
  await mesh.restart("experiments");
  await expect.poll(() => waiting("ems_evaluation_relay")).toBe(1);
  await expect.poll(() => waiting("ems_notifications")).toBe(1);
  expect((await erasure()).status).toBe("RUNNING");
  await mesh.kill("evaluation");
  await mesh.kill("notifications");
  await unlockJob();
  await unlockDelivery();
  await mesh.restart("evaluation");
  await mesh.restart("notifications");
  await endLeases();
  await expect.poll(async () => (await erasure()).status).toBe("COMPLETED");
  expect((await erasure()).erased).toEqual({ ...counts, tasks: 1 });

  for (const table of ["evaluation.job", "notifications.delivery", "notifications.event_log", "catalog.task"]) {
    const text = `SELECT FROM ${table} one WHERE position('4711x' IN encode(convert_to(one::text, 'UTF8'), 'escape')) > 0`;
    expect([table, await mesh.sql(text)]).toEqual([table, []]);
  }
  const repeated = await send("/v0/erasures", { user });
  expect(repeated.data.id).not.toBe(data.id);
  expect(Object.values<number>(repeated.found)).toEqual(Object.values(repeated.found).map(() => 0));
  await stop();
  expect(mesh.crashes).toEqual([]);
});
