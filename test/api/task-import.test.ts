import { randomUUID } from "node:crypto";
import { rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, inject, onTestFinished, test } from "vitest";
import { emsAs } from "../harness/cli.ts";
import { newTenant } from "../harness/tenant.ts";

const path = "/v0/tasks/import";

test("an import says what is wrong by row and field, and creates all of the tasks or none", async () => {
  const { api } = await newTenant();
  const topicId = (await api.post("/v0/topics", { title: "Fees" })).body.data.id;
  const wrong = { format: "CSV", content: "title,prompt,topic\nCost,What?,Nowhere\n,Why?,Fees" };
  const dry = await api.post(path, { ...wrong, dryRun: true });
  expect(dry).toMatchObject({
    status: 200,
    body: {
      dryRun: true,
      rows: 2,
      created: 0,
      taskIds: [],
      errors: [
        { row: 2, field: "topic", message: "There is no topic Nowhere" },
        { row: 3, field: "title" },
      ],
    },
  });
  const refused = await api.post(path, wrong);
  expect(refused.status).toBe(400);
  const paths = refused.body.issues.map((issue: { path: string[] }) => issue.path.join("."));
  expect(paths).toEqual(
    dry.body.errors.map(({ row, field }: typeof wrong & { row: number; field: string }) => `content.${row}.${field}`),
  );
  expect((await api.get("/v0/tasks")).body.data).toEqual([]);

  const right = { format: "CSV", content: "title,prompt,topic\nCost,What?,Fees" };
  const { status, body } = await api.post(path, right);
  expect([status, body]).toMatchObject([200, { dryRun: false, rows: 1, created: 1, errors: [] }]);
  const { task } = (await api.get(`/v0/tasks/${body.taskIds[0]}`)).body;
  expect(task).toMatchObject({ title: "Cost", description: "Cost", inputExamples: ["What?"], topicId });
  const faults = (await api.post(path, { format: "XML", dryRun: 1 })).body.issues;
  expect(faults.map((issue: { path: string[] }) => issue.path[0]).sort()).toEqual(["content", "dryRun", "format"]);
});

test("characters that cannot be stored are replaced and counted, and errors beyond the limit are counted", async () => {
  const { api } = await newTenant();
  const { status, body } = await api.post(path, { format: "CSV", content: "title\na\0\ud800" });
  expect([status, body.replacedCharacters]).toEqual([200, 2]);
  expect((await api.get(`/v0/tasks/${body.taskIds[0]}`)).body.task.title).toBe("a\ufffd\ufffd");
  const content = `title,status\n${"a,WRONG\n".repeat(150)}`;
  const checked = await api.post(path, { format: "CSV", content, dryRun: true });
  expect(checked.body).toMatchObject({ rows: 150, issuesOmitted: 50, replacedCharacters: 0 });
  expect(checked.body.errors).toHaveLength(100);
});

test("ems tasks import checks a file first", async () => {
  const tenant = await newTenant();
  const ems = emsAs({ baseUrl: inject("product").baseUrl, ...tenant });
  const file = join(tmpdir(), `${randomUUID()}.jsonl`);
  onTestFinished(() => rm(file, { force: true }));
  await writeFile(file, '{"title": "Cost"}\n{"title": 3}\n');
  const refused = await ems(["tasks", "import", file]);
  expect([refused.code, refused.stdout]).toEqual([1, expect.stringContaining("title")]);
  await writeFile(file, '{"title": "Cost"}\n');
  expect(await ems(["tasks", "import", file, "--dry-run"])).toMatchObject({ stdout: "1 tasks can be imported.\n" });
  expect(await ems(["tasks", "import", file])).toMatchObject({ code: 0, stdout: "1 tasks were imported.\n" });
  expect((await tenant.api.get("/v0/tasks")).body.data).toMatchObject([{ title: "Cost" }]);
  expect((await ems(["tasks", "import", "tasks.xml"])).code).toBe(2);
  await writeFile(file, Buffer.from('{"title": "Geb\xfchr"}\n', "latin1"));
  const unreadable = await ems(["tasks", "import", file]);
  expect([unreadable.code, unreadable.stderr]).toEqual([2, expect.stringContaining("not UTF-8")]);
  expect(unreadable.stderr).toContain("(row 1, byte 14)");
});
