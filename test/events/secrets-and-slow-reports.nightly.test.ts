// Secrets do not leak: after the product has handled API keys, webhook secrets, header values and feedback, with
// success and with failure, its logs, traces, database and NATS files contain none of them in clear, nor its own
// secrets. Before that, reports that cannot end: their deadlines, clients that leave, and other applications' reports.

import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { ownerRole } from "@ems/kit/db/schema";
import { newId } from "@ems/kit/id";
import pg from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type EventReceiver, startEventReceiver, well } from "../harness/event-receiver.ts";
import { type FaultMesh, startFaultMesh } from "../harness/fault-mesh.ts";
import { startTraceReceiver, type TraceReceiver } from "../harness/trace-receiver.ts";
import { newWriter, newWriterWithoutWebhook, type Writer } from "../harness/writer.ts";

let receiver: EventReceiver;
let traces: TraceReceiver;
let mesh: FaultMesh;
const relayPassword = `relay-password-${newId()}`;
beforeAll(async () => {
  [receiver, traces] = await Promise.all([startEventReceiver(), startTraceReceiver()]);
  // No mail relay listens here: feedback fails, and failures are logged.
  const url = `smtp://mailer:${relayPassword}@127.0.0.1:9`;
  const smtp = { SMTP_URL: url, MAIL_FROM: "ems@example.com", FEEDBACK_TO: "team@example.com" };
  const telemetry = { LOG_LEVEL: "trace", OTEL_EXPORTER_OTLP_ENDPOINT: traces.url };
  mesh = await startFaultMesh({ ...receiver.env, ...smtp, ...telemetry });
});
afterAll(async () => {
  await mesh.close();
  await traces.close();
  await receiver.close();
});

describe("reports that cannot end", () => {
  let locker: pg.Client;
  beforeEach(async () => {
    locker = new pg.Client({ connectionString: mesh.installation.urlAs(ownerRole) });
    await locker.connect();
    // From here on, reads of tags wait; nothing else does.
    await locker.query("BEGIN; LOCK TABLE catalog.tag IN ACCESS EXCLUSIVE MODE");
  });
  afterEach(() => locker.end());

  const path = "/v0/reporting/query";
  const query = (datasource: string) => ({ datasource, timezone: "UTC" });
  const report = ({ send }: Writer, datasource: string) => send("POST", path, query(datasource));

  /** Waits until PostgreSQL runs that many reports on tags. */
  const atWork = (count: number) =>
    expect.poll(async () => (await working()).length, { timeout: 60_000, interval: 50 }).toBe(count);
  const working = () =>
    mesh.sql(
      "SELECT pid FROM pg_stat_activity WHERE usename = 'ems_reporting' AND state = 'active' AND query LIKE '%tag_v1%'",
    );

  test("past their deadline they are cancelled in PostgreSQL and answered 504; other applications' go on meanwhile", async () => {
    const [writer, other] = [await newWriterWithoutWebhook(mesh), await newWriterWithoutWebhook(mesh)];
    const answers: { status: number; message: string }[] = [];
    const requests = Array.from({ length: 120 }, async () => {
      const answer = await report(writer, "tag");
      const { message } = (await answer.json()) as { message: string };
      answers.push({ status: answer.status, message });
    });
    // One application gets at most a third of the eight connections; a hundred of its reports wait in a queue.
    await atWork(2);
    const tooManyRequests = Array.from({ length: 18 }, () => ({
      status: 429,
      message: "Too many reports of this application at once",
    }));
    await expect.poll(() => answers).toEqual(tooManyRequests);

    for (let times = 0; times < 10; times += 1) {
      for (const each of [await report(other, "topic"), await report(other, "eval")]) {
        expect(await each.json()).toMatchObject({ pagination: { total: 0 } });
      }
    }
    expect([answers.length, (await working()).length]).toEqual([18, 2]);

    await Promise.all(requests);
    for (const each of answers.slice(18)) expect(each).toEqual({ status: 504, message: "Deadline exceeded" });
    // The lock is still held: only a cancellation can end the reports.
    await atWork(0);
    expect((await report(writer, "topic")).status).toBe(200);

    await locker.query("COMMIT");
    expect((await report(writer, "tag")).status).toBe(200);
    expect(mesh.crashes).toEqual([]);
  });

  test("one whose client goes is cancelled in PostgreSQL at once", async () => {
    const { baseUrl, apiKey, applicationId } = await newWriterWithoutWebhook(mesh);
    const headers = { "x-api-key": apiKey, "x-application-id": applicationId, "content-type": "application/json" };
    const client = new AbortController();
    const request = { method: "POST", headers, body: JSON.stringify(query("tag")), signal: client.signal };
    const requests = fetch(`${baseUrl}${path}`, request).catch((error: unknown) => error);
    await atWork(1);
    client.abort();
    expect(await requests).toMatchObject({ name: "AbortError" });
    // This ends sooner than by the report's deadline.
    await atWork(0);
  });
});

test("no key, secret, header value or feedback is found in clear where it must not be", async () => {
  const writer = await newWriter(mesh, receiver.url);
  const { applicationId, send } = writer;
  const [headerValue, feedback] = [`header-value-${newId()}`, `feedback-text-${newId()}`];
  const keyed = { "idempotency-key": newId() };
  const { rpcPrivateKeys, apiKeyPepper, sealingKey } = mesh.installation.secrets;
  const ours = [...Object.values(rpcPrivateKeys), apiKeyPepper, sealingKey.replace(/^.*:/, ""), relayPassword];
  // Common prefix of every token of the mesh.
  const anyToken = `${Buffer.from('{"alg":"EdDSA"}').toString("base64url")}.`;
  const secrets = [anyToken, writer.apiKey, writer.webhookSecret, headerValue, feedback, ...ours];

  const set = await send("POST", "/v0/webhook", { url: receiver.url, headers: { "x-partner": headerValue } }, keyed);
  expect(set.status).toBe(200);
  const rotated = await send("POST", "/v0/webhook/rotate-secret", {}, keyed);
  secrets.push(((await rotated.json()) as { data: { webhookSecret: string } }).data.webhookSecret);
  const key = await send("POST", "/v0/api-keys", { name: "another" }, keyed);
  secrets.push(((await key.json()) as { data: { key: string } }).data.key);
  // The search would never find a secret that was not recorded.
  expect(secrets.filter((secret) => !(secret?.length > 20))).toEqual([]);
  expect((await send("POST", "/v0/feedback", { feedback }, keyed)).status).toBe(200);

  // This receiver fails, and returns the headers that it received.
  receiver.behave(({ headers }) => ({ kind: "answer", status: 500, body: JSON.stringify(headers) }));
  await send("POST", "/v0/topics", { title: "Echoed" });
  const attempts = () =>
    mesh.sql<{ body: string }>(
      "SELECT response_body AS body FROM notifications.attempt WHERE application_id = $1 AND status_code = 500",
      [applicationId],
    );
  await expect.poll(async () => (await attempts()).length).toBeGreaterThan(0);
  expect((await attempts())[0]?.body).toContain("x-partner");
  receiver.behave(well);
  // Wait for the spans of notifications, which are lost when it is killed below.
  const expectLogged = (service: string, name: string, facts: object = {}) =>
    expect
      .poll(() => traces.spans)
      .toContainEqual(expect.objectContaining({ service, name, facts: expect.objectContaining(facts) }));
  await expectLogged("notifications", "ems.notifications.v1.WebhookService/SetWebhook");
  await expectLogged("notifications", "ems.notifications.v1.WebhookService/RotateWebhookSecret");
  await expectLogged("notifications", "ems.notifications.v1.FeedbackService/SendFeedback");
  await expectLogged("notifications", "webhook topic.created", { "http.response.status_code": 500 });
  // A key of another application, an unexpected key, and an unavailable service.
  await fetch(`${mesh.baseUrl}/v0/topics`, { headers: { "x-api-key": writer.apiKey, "x-application-id": newId() } });
  expect((await send("GET", `/v0/topics/${writer.apiKey}?key=${writer.apiKey}`)).status).toBe(400);
  expect((await send("GET", `/v0/${writer.apiKey}?key=${writer.apiKey}`)).status).toBe(404);
  await mesh.kill("notifications");
  expect((await send("POST", "/v0/feedback", { feedback })).status).toBe(503);
  await mesh.restart("notifications");
  await expectLogged("gateway", "POST /v0/feedback", { "http.response.status_code": 503 });
  await expectLogged("identity", "ems.identity.v1.ApiKeyService/CreateApiKey");

  const places = {
    log: mesh.output(),
    traces: traces.text(),
    database: await dump(mesh),
    files: await readText(mesh.directory),
  };
  for (const [place, text] of Object.entries(places)) {
    expect(text.length, place).toBeGreaterThan(1_000);
    const found = secrets.map((secret, at) => (text.includes(secret) ? at : undefined));
    expect(
      found.filter((at) => at !== undefined),
      place,
    ).toEqual([]);
  }
  // The search finds texts that are present.
  expect(places.traces).toContain("POST /v0/feedback");
  expect(places.database).toContain(applicationId);
  expect(places.files).toContain("Echoed");
});

/** Returns every row of every table as text, with bytes unchanged. */
async function dump({ sql }: FaultMesh): Promise<string> {
  const tables = await sql<{ table: string }>(
    `SELECT format('%I.%I', n.nspname, c.relname) AS table FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE c.relkind = 'r' AND n.nspname NOT LIKE 'pg\\_%' AND n.nspname <> 'information_schema'`,
  );
  const parts: string[] = [];
  for (const { table } of tables) {
    const rows = await sql(`SELECT * FROM ${table}`);
    const asText = (_: string, value: unknown) =>
      typeof value === "object" && value !== null && "type" in value && value.type === "Buffer" && "data" in value
        ? Buffer.from(value.data as number[]).toString("latin1")
        : value;
    parts.push(table, JSON.stringify(rows, asText));
  }
  return parts.join("\n");
}

/** Returns the content of all files below `directory`, except the database and the installation's secrets. */
async function readText(directory: string): Promise<string> {
  const files = await readdir(directory, { recursive: true, withFileTypes: true });
  const texts = files
    .filter((file) => file.isFile())
    .map((file) => join(file.parentPath, file.name))
    .filter((path) => !path.includes("/pg/") && !path.endsWith("secrets.json"));
  return (await Promise.all(texts.map((path) => readFile(path, "latin1")))).join("\n");
}
