// `ems export traces` and `tests`: files that continue after an interruption, and that `ems import` reads.

import { appendFile, mkdtemp, readFile, rename, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, inject, onTestFinished, test } from "vitest";
import { emsAs } from "../harness/cli.ts";
import { newTenant } from "../harness/tenant.ts";

const { baseUrl } = inject("product");

async function newCli() {
  const tenant = await newTenant();
  return { ...tenant, ems: emsAs({ baseUrl, ...tenant }) };
}

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "ems-exports-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

test("export traces: a file is continued, and another application imports it", async () => {
  const [from, to] = [await newCli(), await newCli()];
  const file = join(await newFolder(), "traces.jsonl");
  const events = Array.from({ length: 120 }, (_, number) => ({
    type: "trace",
    user: number < 20 ? "ann" : "ben",
    metadata: { number },
    steps: [{ type: "request", content: "Where is my \u009b order?\u2028" }],
  }));
  await from.api.post("/v0/ingest", { events });
  expect((await from.ems(["export", "traces", "--output", file])).stdout).toBe(`120 lines were added to ${file}.\n`);
  const complete = await readFile(file);

  // As an interruption leaves it: within a line.
  await rename(file, `${file}.part`);
  await truncate(`${file}.part`, Math.floor(complete.length / 2));
  await appendFile(`${file}.part`, '{"type":"tr');
  const continued = await from.ems(["export", "traces", "--output", file, "--json"]);
  expect(JSON.parse(continued.stdout).lines).toBeLessThan(120);
  const withoutCursors = (text: string) => text.replaceAll(/"cursor":"[^"]*"/g, "");
  expect(withoutCursors(String(await readFile(file)))).toBe(withoutCursors(String(complete)));

  const imported = await to.ems(["import", file]);
  expect(imported).toMatchObject({ code: 0, stdout: "120 lines of traces were imported.\n" });
  await to.ems(["import", file]);
  const printed = await to.ems(["export", "traces", "--filter", "user=ann"]);
  const lines = printed.stdout.trimEnd().split("\n");
  expect(lines).toHaveLength(20);
  expect(printed.stdout).not.toContain("\u009b");
  expect(JSON.parse(lines[0] ?? "").steps[0].content).toBe("Where is my \u009b order?\u2028");

  await writeFile(`${file}.part`, complete);
  const other = await from.ems(["export", "traces", "--output", file, "-f", "user=ann"]);
  expect([other.code, other.stderr]).toEqual([2, expect.stringContaining("Delete it to start again")]);
});

test("export tests: Parquet is written to a file only", async () => {
  const { ems, api } = await newCli();
  const topic = await api.post("/v0/topics", { title: "t" });
  const task = await api.post("/v0/tasks", { title: "t", description: "d", topicId: topic.body.data.id });
  await api.post("/v0/tests/results", { tests: [{ taskId: task.body.task.id, score: 0.5 }] });
  const file = join(await newFolder(), "tests.parquet");
  expect(await ems(["export", "tests", "--format", "parquet", "--output", file])).toMatchObject({ code: 0 });
  const bytes = await readFile(file);
  expect([String(bytes.subarray(0, 4)), String(bytes.subarray(-4))]).toEqual(["PAR1", "PAR1"]);
  expect((await ems(["export", "tests", "--format", "parquet"])).stderr).toContain("--output");
  expect(JSON.parse((await ems(["export", "tests"])).stdout)).toMatchObject({ score: 0.5 });
});
