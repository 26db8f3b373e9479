// Commands of `ems` for operators, on the database of a running product.

import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { deployConfig } from "@ems/dev/config";
import { joinInstallation } from "@ems/dev/installation";
import { buildSubject, messageIdHeader } from "@ems/kit/events/message";
import { newId } from "@ems/kit/id";
import pg from "pg";
import { expect, inject, test } from "vitest";
import { emsAs, withoutIds } from "../harness/cli.ts";
import { mailsWith, team } from "../harness/mail-server.ts";
import { nowhere } from "../harness/names.ts";
import { newTenant } from "../harness/tenant.ts";

const { baseUrl, dataDir } = inject("product");
const installation = await joinInstallation(deployConfig({ DATA_DIR: dataDir }), () => undefined);

async function newOperator() {
  const tenant = await newTenant();
  const ems = emsAs({ baseUrl, ...tenant });
  return { ...tenant, ems: (args: string[], env = {}) => ems(args, { env: { DATA_DIR: dataDir, ...env } }) };
}

async function asRelay<Result>(action: (client: pg.Client) => Promise<Result>): Promise<Result> {
  return asRole("ems_notifications_relay", action);
}

async function asRole<Result>(role: string, action: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client({ connectionString: installation.urlAs(role) });
  await client.connect();
  try {
    return await action(client);
  } finally {
    await client.end();
  }
}

test("bootstrap, seed, export, import: the small seed is identical except ids", async () => {
  const { ems } = await newOperator();
  const names = (application: string) => ["--organisation", `Seeded ${newId()}`, "--application", application];
  const application = async (args: string[]) => {
    const { applicationId, apiKey } = JSON.parse((await ems(["bootstrap", "--json", ...args])).stdout);
    return { EMS_APPLICATION_ID: applicationId, EMS_API_KEY: apiKey };
  };
  const from = names("From");
  const [source, target] = [await application(from), await application(names("To"))];
  expect(JSON.parse((await ems(["seed", "--size", "small", "--json", ...from])).stdout)).toMatchObject({
    applicationId: source.EMS_APPLICATION_ID,
    isFilled: true,
  });
  const dir = await mkdtemp(join(tmpdir(), "ems-test-seeded-"));
  try {
    const written = await ems(["export", join(dir, "seed.ndjson"), "--json"], source);
    expect(JSON.parse(written.stdout)).toMatchObject({ topic: 2, task: 8, definition: 5, run: 104 });
    expect(await ems(["import", join(dir, "seed.ndjson"), "--json"], target)).toEqual(written);
    const [before, after] = [await ems(["export"], source), await ems(["export"], target)];
    expect(withoutIds(after.stdout)).toEqual(withoutIds(before.stdout));
  } finally {
    await rm(dir, { recursive: true });
  }
});

test("migrate status and --dry-run list what is pending, and change nothing", async () => {
  const { ems } = await newOperator();
  const status = await ems(["migrate", "status"]);
  expect(status).toMatchObject({ code: 0, stdout: expect.stringMatching(/^catalog +\d+ +0 +0$/m) });
  expect((await ems(["migrate", "--list"])).stdout).toMatch(
    /^State +Schema +Migration +Of\n(done .*\n)*done +catalog +Baseline +20\d\d-/,
  );
  expect(await ems(["migrate", "--dry-run"])).toEqual({ code: 0, stdout: "No pending migrations.\n", stderr: "" });
  // An empty database.
  const empty = new URL(installation.urlAs("ems_owner"));
  empty.pathname = "/postgres";
  const env = { OWNER_DATABASE_URL: empty.href };
  expect(await ems(["migrate", "status"], env)).toMatchObject({
    code: 1,
    stdout: expect.stringMatching(/^catalog +0 +\d+ +0$/m),
  });
  const { pending } = JSON.parse((await ems(["migrate", "--dry-run", "--json"], env)).stdout);
  expect(pending.length).toBeGreaterThan(10);
});

test("doctor finds nothing wrong with a product that is well, and says what to do about one that is not", async () => {
  const { ems } = await newOperator();
  const well = await ems(["doctor", "--json"]);
  const named = (text: string) => {
    const { findings } = JSON.parse(text) as { findings: { name: string; status: string; advice?: string }[] };
    return (name: string) => findings.filter((each) => each.name === name);
  };
  expect([well.code, well.stderr]).toEqual([0, ""]);
  for (const name of ["API", "clock", "API key", "database", "schemas"])
    expect(named(well.stdout)(name)).toMatchObject([{ status: "ok" }]);
  // A busy machine may have little space left.
  expect(named(well.stdout)("disk")).toMatchObject([{ status: expect.stringMatching(/^(ok|warning)$/) }]);
  expect(named(well.stdout)("queues")).toHaveLength(6);
  const relay = await ems(["doctor", "--json"], { RELAY_DATABASE_URL: installation.urlAs("ems_catalog_relay") });
  expect(named(relay.stdout)("queues")).toMatchObject([{ status: "ok", detail: expect.stringMatching(/^catalog: /) }]);

  const ill = await ems(["doctor", "--json"], {
    EMS_URL: "http://127.0.0.1:1",
    OWNER_DATABASE_URL: "postgres://ems_owner:hunter2@127.0.0.1:1/ems",
    NATS_URL: "nats://somebody:hunter2@127.0.0.1:1",
  });
  expect(ill.code).toBe(1);
  for (const name of ["API", "clock", "API key", "database", "schemas", "NATS"])
    expect(named(ill.stdout)(name)).toMatchObject([{ status: "failure", advice: expect.stringMatching(/\.$/) }]);
  expect(ill.stdout + ill.stderr).not.toContain("hunter2");
  const stranger = await ems(["doctor", "--json"], { EMS_API_KEY: "ems_nobody" });
  expect(named(stranger.stdout)("API key")).toMatchObject([{ status: "failure", detail: "unknown to the API" }]);

  const url = new URL(installation.urlAs("ems_owner"));
  const withUrl = async (change: Partial<Pick<URL, "password" | "pathname">>) => {
    const { stdout } = await ems(["doctor"], { OWNER_DATABASE_URL: Object.assign(new URL(url), change).href });
    return stdout;
  };
  expect(await withUrl({ password: "wrong" })).toMatch(
    /^failure {2}database .*"ems_owner"\n +→ Correct user and password in the URL\.$/m,
  );
  expect(await withUrl({ pathname: "/away" })).toMatch(/^ +→ Correct the database name in the URL\.$/m);
  expect(await withUrl({ pathname: "/postgres" })).toMatch(/^failure {2}schemas .*\n +→ Run ems migrate\.$/m);
  expect(await ems(["doctor"], { OWNER_DATABASE_URL: "ems" })).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("OWNER_DATABASE_URL: must be a postgres:// URL"),
  });
});

test("dead list shows dead letters; retry handles those that can be handled, and keeps the rest", async () => {
  const { ems, api, applicationId, orgId } = await newOperator();
  await api.post("/v0/webhook", { url: nowhere });
  const [good, bad] = [newId(), newId()];
  const addDeadLetter = async (client: pg.Client, id: string, type: string, reason: string) => {
    const body = { id, type, timestamp: new Date(), applicationId, orgId, data: { id: newId() } };
    const headers = {
      [messageIdHeader]: [id],
      "Ems-Application-Id": [applicationId],
      "Ems-Org-Id": [orgId],
      "Ems-Event-Type": [type],
    };
    await client.query(
      `INSERT INTO notifications.dead_event (application_id, id, subject, headers, payload, reason, buried_at)
       VALUES ($1, $2, $3, $4, $5, $6, now())`,
      [
        applicationId,
        id,
        buildSubject("catalog", type, applicationId),
        headers,
        Buffer.from(JSON.stringify(body)),
        reason,
      ],
    );
  };
  await asRelay(async (client) => {
    // The consumer itself retries events of a type that it did not know.
    await addDeadLetter(client, good, "topic.created", "not handled");
    await addDeadLetter(client, bad, "topic.exploded", "unknown type");
  });
  const listed = JSON.parse((await ems(["dead", "list", "--json"])).stdout).deadLetters;
  expect(listed.map(({ id }: { id: string }) => id)).toEqual(expect.arrayContaining([good, bad]));
  const retried = await ems(["dead", "retry", good, bad, "--json"]);
  const left = [{ id: bad, reason: "unknown type" }];
  expect([retried.code, JSON.parse(retried.stdout)]).toEqual([1, { handled: [good], failed: left }]);
  expect((await api.get(`/v0/webhook/deliveries/${good}`)).body.data).toMatchObject({ type: "topic.created" });
  expect((await ems(["dead", "retry", good])).code).toBe(3);
  expect((await ems(["dead", "list"])).stdout).toContain(bad);
  await asRelay((client) => client.query("DELETE FROM notifications.dead_event WHERE id = $1", [bad]));
});

test("feedback list shows what the relay did not confirm; resend has the product send it once more", async () => {
  const { ems, api, applicationId } = await newOperator();
  const feedback = `Said once, sent twice: ${newId()}`;
  expect((await api.post("/v0/feedback", { feedback })).body).toEqual({ success: true });
  // The state after the relay accepted the mail but closed the connection.
  const id = await asRole("ems_notifications", async (client) => {
    await client.query("SELECT set_config('ems.application_id', $1, false)", [applicationId]);
    const { rows } = await client.query(
      "UPDATE notifications.feedback SET status = 'FAILED', error = 'CONNECTION', sent_at = NULL RETURNING id",
    );
    return rows[0].id;
  });
  const listed = async (...options: string[]) =>
    JSON.parse((await ems(["feedback", "list", "--json", ...options])).stdout).feedback.filter(
      (each: { id: string }) => each.id === id,
    );
  expect(await listed()).toEqual([{ id, applicationId, reason: "CONNECTION", createdAt: expect.any(String) }]);
  expect(await listed("--show")).toMatchObject([{ id, text: feedback }]);
  const resend = () => ems(["feedback", "resend", id, "--json"]);
  const sent = { code: 0, stdout: `${JSON.stringify({ sent: [id], unsent: [] })}\n`, stderr: "" };
  expect(await resend()).toEqual(sent);
  expect(await listed()).toEqual([]);
  expect((await resend()).code).toBe(5);
  const mails = await mailsWith(team, feedback);
  expect(mails.map(({ mail }) => mail.messageId)).toEqual(Array(2).fill(`<${id}@example.com>`));
  expect((await ems(["feedback", "resend", newId()])).code).toBe(3);
});

test("completion: a shell that has read the script completes commands and options", async () => {
  const { ems } = await newOperator();
  const script = (await ems(["completion", "bash"])).stdout;
  const completed = async (...words: string[]) => {
    const typed = `COMP_WORDS=(ems ${words.map((word) => `'${word}'`).join(" ")}); COMP_CWORD=${words.length}`;
    const line = `${script}\n${typed}; _ems; printf '%s\\n' "\${COMPREPLY[@]}"`;
    return (await promisify(execFile)("bash", ["-c", line])).stdout.trim().split("\n");
  };
  expect(await completed("we")).toEqual(["webhook"]);
  expect(await completed("webhook", "de")).toEqual(["deliveries"]);
  expect(await completed("feedback", "resend", "--a")).toEqual(["--all", "--api-key", "--application-id"]);
  expect(await completed("report", "t")).toEqual(["task", "test", "topic", "tag"]);
  expect(await completed("--json", "webhook", "listen", "--fo")).toEqual(["--forward"]);
  expect(await completed("migrate", "")).toEqual(expect.arrayContaining(["status", "--dry-run", "--url"]));
  for (const shell of ["zsh", "fish"]) expect((await ems(["completion", shell])).stdout).toContain("listen");
  expect((await ems(["completion", "tcsh"])).code).toBe(2);
});
