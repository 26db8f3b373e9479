// `ems export` and `ems import`: an import restores everything that was exported, with other ids.

import { lstat, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, inject, test } from "vitest";
import { emsAs, emsProcess, withoutIds } from "../harness/cli.ts";
import { newTenant } from "../harness/tenant.ts";
import { fill, made } from "./fill-application.ts";

const { baseUrl } = inject("product");
const dir = await mkdtemp(join(tmpdir(), "ems-test-transfer-"));
afterAll(() => rm(dir, { recursive: true }));

async function newCli() {
  const tenant = await newTenant();
  return { ...tenant, ems: emsAs({ baseUrl, ...tenant }), emsProcess: emsProcess({ baseUrl, ...tenant }) };
}

test("a round trip is identical except ids, and importing once more changes nothing", async () => {
  const [from, to] = [await newCli(), await newCli()];
  await fill(from.api);
  const file = join(dir, "all.ndjson");
  const written = await from.ems(["export", file, "--json"]);
  expect(written).toMatchObject({ code: 0, stderr: "" });
  expect(JSON.parse(written.stdout)).toMatchObject({
    tag: 2,
    topic: 2,
    task: 3,
    tagging: 2,
    document: 2,
    fact: 2,
    experiment: 3,
    variant: 3,
    run: 3,
  });
  const text = await readFile(file, "utf8");
  expect(text).toMatch(/"name":"Own".*"taskIds":\["[^"]+","[^"]+"\]/);
  expect((await from.emsProcess(["export"])).stdout).toBe(text);

  // An import of truncated input, repeated with the whole file.
  const lines = text.trim().split("\n");
  const half = await to.emsProcess(["import"], { stdin: `${lines.slice(0, lines.length / 2).join("\n")}\n{` });
  expect(half).toMatchObject({ code: 2, stderr: expect.stringMatching(/^Line \d+: not JSON\n$/) });
  for (const pattern of [/^(\d+) of (?!\1 )\d+ changes were made/, /^(\d+) of \1 changes were made/]) {
    const read = await to.ems(["import", file, "--json"]);
    expect(read).toEqual({ ...written, stderr: expect.stringMatching(pattern) });
    const back = await to.ems(["export"]);
    expect(withoutIds(back.stdout)).toEqual(withoutIds(text));
  }
});

test("a run of more tests than a page has is exported whole", async () => {
  const { api, ems } = await newCli();
  const { task } = await made(api, "tasks", { title: "t", description: "d" });
  const newTests = (from: number) =>
    Array.from({ length: 1_000 }, (_, at) => ({ taskId: task.id, durationMs: from + at }));
  const { run } = await made(api, "tests/results", { tests: newTests(0) });
  await made(api, "tests/results", { runId: run.id, tests: newTests(1_000) });
  await made(api, "tests/results", { runId: run.id, tests: newTests(2_000).slice(0, 7) });
  const lines = (await ems(["export"])).stdout.trim().split("\n");
  const { data } = JSON.parse(lines.at(-1) ?? "");
  const durations = data.tests.map(({ durationMs }: { durationMs: number }) => durationMs);
  expect(durations.sort((a: number, b: number) => a - b)).toEqual(Array.from({ length: 2_007 }, (_, at) => at));
});

test("an empty application is an export of one line, and a file of something else is refused", async () => {
  const { ems } = await newCli();
  const empty = await ems(["export"]);
  expect(empty.stdout).toBe('{"kind":"ems-export","version":1}\n');
  expect(await ems(["import"], { stdin: empty.stdout })).toMatchObject({ code: 0 });
  expect(await ems(["import"], { stdin: "" })).toMatchObject({ code: 2 });
  expect(await ems(["import"], { stdin: '{"kind":"ems-export","version":2}\n' })).toMatchObject({ code: 2 });
  for (const data of ["null", '{"title":"no tests"}']) {
    const stdin = `${empty.stdout}{"kind":"run","id":"r","data":${data}}\n`;
    expect(await ems(["import"], { stdin })).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^Line 2: not a (complete run )?record/),
    });
  }
  const dangling = { kind: "task", id: "t", data: { title: "t", description: "d", status: "ACTIVE", topicId: "away" } };
  const refused = await ems(["import"], { stdin: `${empty.stdout}${JSON.stringify(dangling)}\n` });
  expect(refused).toMatchObject({
    code: 1,
    stderr: "Line 2: it refers to topic away, which no earlier line defines\n",
  });
});

test("an export that fails leaves no file that looks whole", async () => {
  const { ems } = await newCli();
  const file = join(dir, "failed.ndjson");
  expect(await ems(["export", file], { env: { EMS_API_KEY: "ems_nobody" } })).toMatchObject({ code: 4 });
  expect((await readdir(dir)).filter((name) => name.startsWith("failed"))).toEqual([]);
  const away = await ems(["export", join(dir, "away", "failed.ndjson")]);
  expect(away).toMatchObject({ code: 1, stdout: "", stderr: expect.stringMatching(/^ENOENT: .*\n$/) });
});

test("an export goes into a link as it comes, and leaves the link where it was", async () => {
  const { ems } = await newCli();
  const [target, link] = [join(dir, "linked.ndjson"), join(dir, "link.ndjson")];
  await writeFile(target, "");
  await symlink(target, link);
  expect(await ems(["export", link])).toMatchObject({ code: 0, stderr: "" });
  expect((await lstat(link)).isSymbolicLink()).toBe(true);
  expect(await readFile(target, "utf8")).toBe('{"kind":"ems-export","version":1}\n');
});
