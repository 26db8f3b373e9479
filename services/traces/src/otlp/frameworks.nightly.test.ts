// Conversations of frameworks in their newest versions, which are installed and run here. Needs Python with `venv`.

import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, expect, test } from "vitest";
import {
  columns,
  listRecordings,
  readLosses,
  readRecording,
  recordings,
  splitName,
  toCells,
} from "../../test/frameworks/read-recording.ts";
import { tracesHarness } from "../../test/harness.ts";

const run = promisify(execFile);
const harness = await tracesHarness();
const folder = mkdtempSync(join(tmpdir(), "ems-test-frameworks-"));
afterAll(() => rmSync(folder, { recursive: true }));
const installMs = 600_000;
const frameworks = [...new Set(listRecordings().map((name) => splitName(name).framework))];

test.each(frameworks)(
  "%s: the newest version has all that the recorded one has",
  { timeout: installMs },
  async (framework) => {
    const environment = join(folder, "environment");
    const env = { ...process.env, RECORDINGS: folder };
    await run(join(recordings, "record.sh"), [environment, framework], { env });
    // The packages of all frameworks together fill several gigabytes.
    rmSync(environment, { recursive: true });
    const name = listRecordings(folder).find((each) => splitName(each).framework === framework) ?? "";
    const cells = toCells(await readRecording(harness, name, folder), framework);
    const lost = Object.keys(readLosses(framework));
    const wrong = columns.filter((column) => cells[column] !== undefined && !lost.includes(column));
    expect([name, wrong.map((column) => [column, cells[column]])]).toEqual([name, []]);
  },
);
