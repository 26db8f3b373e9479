// Commands of `ems` that use the API, against a running product.

import { createServer, type IncomingMessage } from "node:http";
import { text } from "node:stream/consumers";
import { newId } from "@ems/kit/id";
import { Webhook } from "standardwebhooks";
import { expect, inject, test } from "vitest";
import { emsAs, emsProcess } from "../harness/cli.ts";
import { nowhere } from "../harness/names.ts";
import { newTenant } from "../harness/tenant.ts";

const { baseUrl } = inject("product");

async function newCli() {
  const tenant = await newTenant();
  return { ...tenant, ems: emsAs({ baseUrl, ...tenant }), emsProcess: emsProcess({ baseUrl, ...tenant }) };
}

test("report: groups with measurements as a table with bars, rows as JSON", async () => {
  const { ems, api } = await newCli();
  for (const [title, status] of [
    ["One", "ACTIVE"],
    ["Two", "ACTIVE"],
    ["Three\u001b[31m\n", "DRAFT"],
  ] as const)
    await api.post("/v0/topics", { title, status, baseline: 0.5 });
  const grouped = await ems(["report", "topic", "--group", "status", "--measure", "count", "-m", "avg:baseline"]);
  expect(grouped).toEqual({
    code: 0,
    stdout: [
      "Status  Count  Average Baseline",
      `ACTIVE      2               0.5  ${"█".repeat(24)}`,
      `DRAFT       1               0.5  ${"█".repeat(12)}`,
      "",
    ].join("\n"),
    stderr: "",
  });
  const filters = ["-f", "status:eq:DRAFT,ARCHIVED", "-f", "baseline:gte:0.5", "-f", "isInScope:eq:true"];
  const rows = await ems(["report", "topic", ...filters, "--timezone", "Asia/Kolkata", "--json"]);
  expect(JSON.parse(rows.stdout).data.results).toMatchObject([{ title: "Three\u001b[31m\n", status: "DRAFT" }]);
  const printed = await ems(["report", "topic", "-f", "status:eq:DRAFT"]);
  expect(printed.stdout).toContain("Three\\u001b[31m ");
  const page = await ems(["report", "topic", "--limit", "1", "--order", "title"]);
  expect(page.stderr).toBe("1 to 1 of 3; --skip and --limit select others.\n");
});

test("report: a bucket is labeled with its first day in the requested zone", async () => {
  const { ems, api } = await newCli();
  await api.post("/v0/topics", { title: "One" });
  for (const zone of ["Pacific/Kiritimati", "Asia/Kathmandu", "America/St_Johns"]) {
    const { stdout } = await ems(["report", "topic", "-g", "createdAt:year", "--timezone", zone]);
    expect([zone, stdout]).toEqual([zone, expect.stringMatching(/\n\d{4}-01-01 +1 /)]);
    const [offset] = (await ems(["report", "topic", "--timezone", zone])).stdout.match(/[+-]\d{2}:\d{2}(?= )/) ?? [];
    expect(offset).toBe(Temporal.Now.zonedDateTimeISO(zone).offset);
  }
});

test("report: a file that is no request is refused before anybody is asked", async () => {
  const ems = emsAs({ baseUrl: "http://127.0.0.1:1", apiKey: "ems_none", applicationId: newId() });
  const refused = await ems(["report", "--query", import.meta.filename]);
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining("commands.test.ts is not JSON: ") });
});

test("compare: sides, difference and verdict in words, tasks that changed, and an exit code for what got worse", async () => {
  const { ems, api } = await newCli();
  const { body } = await api.post("/v0/definitions", { type: "FACT", name: "Exact\u001b[31m" });
  const definitionId = body.data.id;
  const taskIds = await Promise.all(
    Array.from(
      { length: 12 },
      async () => (await api.post("/v0/tasks", { title: "Fees", description: "d" })).body.task.id,
    ),
  );
  const record = async (passed: boolean) => {
    const tests = taskIds.map((taskId) => ({ taskId, passed, evaluations: [{ definitionId, passed }] }));
    return (await api.post("/v0/tests/results", { tests })).body.run.id as string;
  };
  const [good, bad] = [await record(true), await record(false)];
  const worse = await ems(["compare", good, bad, "--fail-worse"]);
  expect(worse).toMatchObject({ code: 1, stderr: "Worse: All tests, Exact\\u001b[31m.\n" });
  expect(worse.stdout).toContain("All tests: Worse by 1.00 at 12 common tasks.");
  expect(worse.stdout).toMatch(
    /All tests +1\.00 \(0\.76 to 1\.00\) +0\.00 \(0\.00 to 0\.24\) +-1\.00 +0\.000 +12 +0 \/ 0 +–/,
  );
  expect(worse.stdout.match(/fails now +Fees/g)).toHaveLength(12);
  const better = await ems(["compare", bad, good, "--fail-worse", "--json"]);
  expect([better.code, JSON.parse(better.stdout).difference.verdict]).toEqual([0, "better"]);
  const same = await ems(["compare", good, good, "--detect", "0.1"]);
  expect(same).toMatchObject({ code: 0, stdout: expect.stringContaining("No difference") });
  expect(await ems(["compare", good, newId()])).toMatchObject({ code: 3 });
  expect(await ems(["compare", good, bad, "--detect", "2"])).toMatchObject({ code: 2 });
});

test("exit codes: 1 failed, 2 wrong command line, 3 not found, 4 not allowed, 5 conflict", async () => {
  const { ems, api, apiKey } = await newCli();
  const runForCode = async (args: string[], env?: Record<string, string>) => (await ems(args, { env: env ?? {} })).code;
  expect(await runForCode(["--help"])).toBe(0);
  expect(await runForCode(["webhook", "deliveries"], { EMS_URL: "http://127.0.0.1:1" })).toBe(1);
  const wrong = [["nonsense"], ["report", "nonsense"], ["report", "topic", "-g", "colour"], ["keys", "create"]];
  expect(await Promise.all(wrong.map((args) => runForCode(args)))).toEqual(wrong.map(() => 2));
  expect(await runForCode(["keys", "delete", newId()])).toBe(3);
  expect(await runForCode(["report", "topic"], { EMS_URL: "ftp://example.com" })).toBe(2);
  expect(await runForCode(["report", "topic"], { EMS_API_KEY: "" })).toBe(2);
  expect(await runForCode(["webhook", "deliveries", newId()])).toBe(3);
  const stranger = await ems(["report", "topic"], { env: { EMS_API_KEY: "ems_nobody" } });
  expect(stranger).toMatchObject({ code: 4, stdout: "" });
  expect(await runForCode(["report", "topic"], { EMS_APPLICATION_ID: newId() })).toBe(4);
  await api.post("/v0/webhook", { url: nowhere });
  const failed = await ems(["webhook", "trigger"]);
  expect(failed.code).toBe(1);
  const { body } = await api.get("/v0/webhook/deliveries");
  await api.delete("/v0/webhook");
  expect(await runForCode(["webhook", "resend", body.data[0].id])).toBe(5);
  expect(stranger.stderr + failed.stderr).not.toContain(apiKey);
});

test("keys: a key that is created works, and does not once it is deleted", async () => {
  const { ems } = await newCli();
  const { id, key } = JSON.parse((await ems(["keys", "create", "second", "--json"])).stdout);
  const asSecond = { env: { EMS_API_KEY: key } };
  expect((await ems(["webhook", "deliveries"], asSecond)).code).toBe(0);
  expect((await ems(["keys", "delete", id])).stdout).toBe(`Deleted ${id} (second, ${key.slice(0, 8)}…).\n`);
  await expect.poll(async () => (await ems(["webhook", "deliveries"], asSecond)).code).toBe(4);
});

test("keys: a key whose id is lost is listed, and deleted by its beginning or name unless several have it", async () => {
  const { ems, api } = await newCli();
  const create = async (name: string) => (await api.post("/v0/api-keys", { name })).body.data;
  const [lost, ...tenants] = [await create("lost"), await create("twin"), await create("twin")];
  const listed = await ems(["keys", "list"]);
  expect(listed.stdout).toMatch(new RegExp(`${lost.id} +${lost.key.slice(0, 8)}… +lost +20`));
  expect(listed.stdout).not.toContain(lost.key);
  expect(await ems(["keys", "delete", "twin"])).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(new RegExp(`2 keys are named "twin"; name one by its id:[^]*${tenants[1].id}`)),
  });
  const pasted = await ems(["keys", "delete", lost.key]);
  expect(pasted).toMatchObject({ code: 2, stderr: expect.stringContaining("not by the whole key") });
  expect(pasted.stderr).not.toContain(lost.key);
  expect((await ems(["keys", "delete", lost.key.slice(0, 8)])).code).toBe(0);
  expect((await ems(["keys", "delete", "lost"])).stderr).toContain('has the id, name or prefix "lost"');
  const limited = ["--scope", "read", "--scope", "run:write", "--expires", "90d"];
  expect((await ems(["keys", "create", "limited", ...limited])).code).toBe(0);
  expect((await ems(["keys", "list"])).stdout).toMatch(/ limited .* read, run:write\n/);
  expect((await ems(["keys", "create", "x", "--expires", "soon"])).stderr).toContain("90d");
  const left = (await ems(["keys", "list", "--json"])).stdout.trim().split("\n");
  expect(left.map((line) => JSON.parse(line).id)).toEqual(expect.not.arrayContaining([lost.id]));
});

test("audit export: every change as JSON lines or CSV, oldest first, filtered", async () => {
  const { ems, api } = await newCli();
  const { id } = (await api.post("/v0/tags", { name: 'a "b", c' })).body.data;
  await api.send("PUT", `/v0/tags/${id}`, { json: { color: "#000000" } });
  const exportLines = async (...options: string[]) =>
    (await ems(["audit", "export", ...options])).stdout.trim().split("\n");
  const entries = (await exportLines("--entity", id)).map((line) => JSON.parse(line));
  expect(entries).toMatchObject([
    { resource: "tag", action: "CREATED" },
    { resource: "tag", action: "UPDATED" },
  ]);
  const [head, first] = await exportLines("--format", "csv", "--resource", "tag");
  expect(head).toMatch(/^createdAt,resource,entityId,action,/);
  expect(first).toMatch(new RegExp(`^20[^,]+Z,tag,${id},CREATED,.*a \\\\""b\\\\"", c`));
  expect(await exportLines("--until", "2020-01-01T00:00:00Z")).toEqual([""]);
});

test("erase: a dry run counts, and what is erased is gone when it ends", async () => {
  const { ems, api } = await newCli();
  await api.post("/v0/ingest", { events: [{ type: "trace", metadata: { userId: "ann" }, steps: [{ type: "log" }] }] });
  const counted = await ems(["erase", "--user", "ann", "--dry-run"]);
  expect(counted.stdout).toMatch(/^Kind +Found\ntraces +1\nsteps +1\ntests +0\n/);
  expect((await api.get("/v0/traces?user=ann")).body.data).toHaveLength(1);
  const erased = await ems(["erase", "--user", "ann"]);
  expect([erased.code, erased.stdout]).toEqual([0, expect.stringMatching(/^Kind +Erased\ntraces +1\n/)]);
  expect((await api.get("/v0/traces?user=ann")).body.data).toEqual([]);
  await api.post("/v0/ingest", {
    events: ["ann", "bob", "carl"].map((user) => ({ type: "trace", metadata: { user } })),
  });
  const listed = await ems(["erase", "--users", "-", "--dry-run"], { stdin: "ann\nbob\r\n\nbob\nnobody" });
  expect([listed.code, listed.stdout]).toEqual([0, expect.stringMatching(/^Kind +Found\ntraces +2\n/)]);
  const repeated = await ems(["erase", "--users", "-", "--json"], { stdin: "ann\nbob\r\n\nbob\nnobody" });
  const counts = repeated.stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line).erased.traces);
  expect([repeated.code, counts]).toEqual([0, [1, 1, 0]]);
  expect((await api.get("/v0/traces")).body.data).toMatchObject([{ user: "carl" }]);
  for (const options of [
    ["--user", "ann", "--users", "-"],
    ["--users", "-"],
    ["--users", "/none"],
  ])
    expect((await ems(["erase", ...options])).code).toBe(2);
  expect((await ems(["erase"])).code).toBe(2);
});

test("webhook trigger, deliveries and resend: what was attempted, and that it is attempted again", async () => {
  const { ems, api } = await newCli();
  await api.post("/v0/webhook", { url: nowhere });
  const tried = await ems(["webhook", "trigger", "--json"]);
  expect([tried.code, JSON.parse(tried.stdout)]).toEqual([1, expect.objectContaining({ success: false })]);
  const listed = await ems(["webhook", "deliveries", "--status", "FAILED", "--type", "webhook.test", "--json"]);
  const { data } = JSON.parse(listed.stdout);
  expect(data).toMatchObject([{ type: "webhook.test", status: "FAILED", attemptCount: 1 }]);
  expect((await ems(["webhook", "deliveries", "--status", "DELIVERED"])).stdout).toBe("No deliveries.\n");
  const printed = await ems(["webhook", "deliveries", data[0].id]);
  expect(printed.stdout).toMatch(/CONNECTION_REFUSED.*"type": "webhook.test"/s);
  expect((await ems(["webhook", "resend", data[0].id])).stdout).toContain(
    `${data[0].id} webhook.test is scheduled again`,
  );
});

test("webhook listen shows each event once and hands it on, signed with the webhook's secret", async () => {
  const { ems, emsProcess, api } = await newCli();
  expect(await ems(["webhook", "listen"])).toMatchObject({ code: 3, stdout: "" });
  const { body } = await api.post("/v0/webhook", { url: nowhere });
  const got: unknown[] = [];
  const verify = async (request: IncomingMessage) => {
    const headers = request.headers as Record<string, string>;
    got.push(new Webhook(body.data.webhookSecret).verify(await text(request), headers));
  };
  const receiver = createServer((request, response) => void verify(request).finally(() => response.end()));
  await new Promise<void>((done) => receiver.listen(0, "127.0.0.1", done));
  try {
    const { port } = receiver.address() as { port: number };
    const since = new Date(Date.now() - 60_000).toISOString();
    const flags = ["--since", since, "--type", "topic.created", "--interval", "100", "--count", "2", "--json"];
    const listening = ems(["webhook", "listen", ...flags, "--forward", `http://127.0.0.1:${port}/hook?key=secret`]);
    for (const title of ["One", "Two"]) await api.post("/v0/topics", { title });
    await api.post("/v0/tags", { name: "none of it", description: "None of it." });
    const { code, stdout, stderr } = await listening;
    const events = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect([code, events.map(({ data }) => data.title)]).toEqual([0, ["One", "Two"]]);
    expect(got).toEqual(events);
    const stopWhen = (seen: string) => seen.includes("Two");
    const stopped = await emsProcess(["webhook", "listen", "--since", since, "--interval", "3600000"], { stopWhen });
    expect([stopped.code, stopped.stdout.split("topic.created")]).toEqual([0, expect.objectContaining({ length: 3 })]);
    expect(stderr).toMatch(/→ 200 in \d+ ms/);
    expect(stderr).not.toContain("secret");
  } finally {
    receiver.close();
  }
});

test("webhook verify accepts valid signatures and refuses others, offline", async () => {
  const ems = emsAs({ baseUrl: "http://127.0.0.1:1", apiKey: "", applicationId: "" });
  const secret = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
  const [id, body, now] = [newId(), '{"a":1}', new Date()];
  const flags = (time: Date, signed = body) => [
    ...["webhook", "verify", "--id", id, "--timestamp", String(Math.floor(time.getTime() / 1_000))],
    ...["--signature", `v1,c29tZW9uZSBlbHNl ${new Webhook(secret).sign(id, time, signed)}`],
  ];
  const input = { stdin: body, env: { EMS_WEBHOOK_SECRET: secret } };
  expect(await ems(flags(now), input)).toEqual({ code: 0, stdout: "Valid.\n", stderr: "" });
  expect(await ems([...flags(now, "{}"), "--json"], input)).toMatchObject({ code: 1 });
  const old = new Date(now.getTime() - 86_400_000);
  expect(await ems(flags(old), input)).toMatchObject({ code: 1, stdout: "Message timestamp too old\n" });
  expect(await ems([...flags(old), "--any-age"], input)).toMatchObject({ code: 0 });
  expect(await ems([...flags(old, "{}"), "--any-age"], input)).toMatchObject({ code: 1 });
  expect(await ems(flags(now), { stdin: body })).toMatchObject({ code: 2 });
});

test("smoke walks through the product and leaves nothing that is active", async () => {
  const { ems, api } = await newCli();
  const { code, stdout, stderr } = await ems(["smoke", "--json"]);
  expect([code, JSON.parse(stdout)]).toEqual([0, expect.objectContaining({ failed: 0 })]);
  expect(stderr).not.toContain("FAILED");
  expect((await api.get("/v0/topics?status=ACTIVE,DRAFT")).body.data).toEqual([]);
  await api.post("/v0/webhook", { url: nowhere });
  const withWebhook = await ems(["smoke"]);
  expect(withWebhook).toMatchObject({ code: 1, stdout: expect.stringMatching(/^\d+ passed, 1 failed\n$/) });
  expect(withWebhook.stderr).toMatch(/FAILED {2}the webhook's receiver accepts a test event/);
});

test("smoke goes on when no one reads its output", async () => {
  const { emsProcess } = await newCli();
  const { code, stdout } = await emsProcess(["smoke"], { isUnheard: true });
  expect([code, stdout]).toEqual([0, expect.stringMatching(/^\d+ passed, 0 failed\n$/)]);
});

test("smoke ends at once when there is nothing to walk through", async () => {
  const ems = emsAs({ baseUrl: "http://127.0.0.1:1", apiKey: "ems_none", applicationId: newId() });
  expect(await ems(["smoke"])).toMatchObject({ code: 1, stdout: "0 passed, 1 failed\n" });
});
