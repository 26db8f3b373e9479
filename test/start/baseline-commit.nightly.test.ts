// An installation of the last commit before the baseline, filled by its own seed, is upgraded to this version, and
// restored from its backup by this version: every list and report of the API stays the same, except for the numbers that
// leave out tests without a verdict (CHANGELOG, "errored").

import { execFile } from "node:child_process";
import { copyFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { temporaryDir } from "@ems/dev/temporary-dir";
import { baselineCommit } from "@ems/kit/db/adopt";
import { afterAll, beforeAll, expect, test } from "vitest";
import { checkOut } from "../bench/checkout.ts";
import { type ProductFacts, startProduct } from "../harness/product.ts";

const ownRoot = join(import.meta.dirname, "../..");
const [dataDir, restoredDir] = [await temporaryDir("ems-test-baseline-"), await temporaryDir("ems-test-restored-")];
const backup = join(restoredDir, "backup.ems");
const stack = new AsyncDisposableStack();
afterAll(async () => {
  await stack.disposeAsync();
  for (const dir of [dataDir, restoredDir]) await rm(dir, { recursive: true, force: true });
});

interface Document {
  readonly paths: Readonly<
    Record<
      string,
      { readonly get?: { readonly parameters?: readonly { readonly name: string; readonly required?: boolean }[] } }
    >
  >;
}

const datasources = ["topic", "task", "tag", "test", "eval", "human_annotation"];

let before: Record<string, unknown>;
/** Output of this version's dry run while the older version runs. */
let tried: string;
let key: Pick<ProductFacts, "apiKey" | "applicationId">;

/** Reads the first page of every list of the API that requires no id, and a report on each datasource. */
async function readAll({ baseUrl }: ProductFacts): Promise<Record<string, unknown>> {
  const headers = { "x-api-key": key.apiKey ?? "", "x-application-id": key.applicationId };
  const document = (await (await fetch(`${baseUrl}/openapi.json`)).json()) as Document;
  const answers: Record<string, unknown> = {};
  for (const [path, { get }] of Object.entries(document.paths)) {
    const { parameters = [] } = get ?? {};
    // The answer of the health check contains the time.
    if (get === undefined || path === "/v0/health" || path.includes("{") || parameters.some(({ required }) => required))
      continue;
    const isPaged = parameters.some(({ name }) => name === "limit");
    const answer = await fetch(`${baseUrl}${path}${isPaged ? "?limit=100" : ""}`, { headers });
    const text = await answer.text();
    // These requests use the key, which changes its time of last use.
    if (answer.ok) answers[path] = JSON.parse(text.replaceAll(/"lastUsedAt":"[^"]+"/g, '"lastUsedAt":null'));
  }
  for (const datasource of datasources) {
    const body = JSON.stringify({ datasource, timezone: "UTC" });
    const request = { method: "POST", headers: { ...headers, "content-type": "application/json" }, body };
    const answer = await fetch(`${baseUrl}/v0/reporting/query`, request);
    expect(answer.status, datasource).toBe(200);
    const { data, pagination } = (await answer.json()) as { data: { results: unknown }; pagination: unknown };
    // New columns may be added.
    answers[datasource] = { results: data.results, pagination };
  }
  return answers;
}

/** Fields that the older version computed with tests that could not be judged. */
const ofOutcomes = new Set([
  ...["result", "summary", "outcome", "errorCause", "errored", "passed", "score", "passRate", "averageScore"],
  ...["monitoring", "synthetic", "combined", "monitoringPassRate"],
]);

/** Removes fields of outcomes, and fields and operations that the older version does not have. */
function comparable(answer: unknown, old: unknown): unknown {
  if (Array.isArray(answer) && Array.isArray(old)) return answer.map((each, index) => comparable(each, old[index]));
  if (!(isObject(answer) && isObject(old))) return answer;
  // A test without a verdict has the reason now.
  const isCompared = (name: string) =>
    Object.hasOwn(old, name) && !ofOutcomes.has(name) && !(name === "message" && old[name] === null);
  const fields = Object.entries(answer).filter(([name]) => isCompared(name));
  return Object.fromEntries(fields.map(([name, value]) => [name, comparable(value, old[name])]));
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

async function run(root: string, script: string, dir: string): Promise<string> {
  const env = { ...process.env, DATA_DIR: dir, NODE: process.execPath };
  return (await promisify(execFile)("sh", ["-c", script], { cwd: root, env, maxBuffer: 1e8 })).stdout;
}

beforeAll(async () => {
  const { root } = await checkOut(baselineCommit, stack);
  const product = await startProduct("one", { root, dataDir });
  try {
    key = product.facts;
    await run(root, '"$NODE" deploy/dev/seed.ts --size small --until 2026-10-31', dataDir);
    before = await readAll(product.facts);
    await run(root, `"$NODE" deploy/dev/backup.ts > ${backup}`, dataDir);
    tried = await run(ownRoot, '"$NODE" deploy/dev/migrate.ts --dry-run 2>&1', dataDir);
  } finally {
    await product.stop();
  }
}, 600_000);

test("a dry run while it runs lists the migrations of new services, too", () => {
  expect(tried).toMatch(/^Would migrate: .*\btraces: Baseline/m);
  expect(tried).toContain("Nothing was changed.");
});

test("its data directory goes on", { timeout: 300_000, retry: 0 }, async () => {
  const filled = Object.values(before).filter((answer) => JSON.stringify(answer).startsWith('{"data":[{'));
  expect(filled.length).toBeGreaterThanOrEqual(14);
  for (const _ of ["first", "second"]) {
    const product = await startProduct("one", { dataDir });
    expect(comparable(await readAll(product.facts), before)).toEqual(comparable(before, before));
    await product.stop();
  }
});

test("its backup is restored", { timeout: 300_000, retry: 0 }, async () => {
  await copyFile(join(dataDir, "secrets.json"), join(restoredDir, "secrets.json"));
  await run(ownRoot, `"$NODE" deploy/dev/restore.ts < ${backup}`, restoredDir);
  const product = await startProduct("one", { dataDir: restoredDir });
  expect(comparable(await readAll(product.facts), before)).toEqual(comparable(before, before));
  await product.stop();
});
