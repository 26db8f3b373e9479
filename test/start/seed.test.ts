// `npm run seed` creates realistic data, the same in every application.

import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, expect, test } from "vitest";
import { startProduct } from "../harness/product.ts";

const root = join(import.meta.dirname, "../..");
const paths = [
  ...["topics", "tasks", "tags", "documents", "definitions", "style-guides"],
  ...["experiments", "quickstarts", "traces", "runs", "tests", "users"],
];

const product = await startProduct("one");
afterAll(() => product.remove());
const { baseUrl, dataDir } = product.facts;

async function run(program: "seed" | "bootstrap", ...options: string[]) {
  const env = { ...process.env, DATA_DIR: dataDir };
  const args = [`deploy/dev/${program}.ts`, "--json", ...options];
  return JSON.parse((await promisify(execFile)(process.execPath, args, { cwd: root, env })).stdout);
}
const seed = (...options: string[]) => run("seed", "--size", "small", "--until", "2026-10-31", ...options);

/** Reads the application's lists, without ids. */
function read({ applicationId, apiKey = "" }: { applicationId: string; apiKey?: string }) {
  const list = async (path: string) => {
    const headers = { "x-api-key": apiKey, "x-application-id": applicationId };
    const answer = await fetch(`${baseUrl}/v0/${path}`, { headers });
    const { data } = (await answer.json()) as { data: Record<string, unknown>[] };
    // Creation times of operators and organizations differ; all else is equal.
    return data
      .filter(({ name }) => name !== "Operator")
      .map(({ title, name, type, createdAt, timestamp, score }) => ({
        title,
        name,
        type,
        createdAt,
        timestamp,
        score,
      }));
  };
  return Promise.all(paths.map(list));
}

test("fills an application of a running product, the same each time it is made, and only once", {
  retry: 0,
}, async () => {
  const { applicationId } = product.facts;
  expect(await seed()).toMatchObject({ applicationId, isFilled: true });
  expect(await seed()).toMatchObject({ applicationId, isFilled: false });
  const other = await run("bootstrap", "--organisation", "Another bank");
  expect(await seed("--organisation", "Another bank")).toMatchObject({
    applicationId: other.applicationId,
    isFilled: true,
  });

  const lists = await read(product.facts);
  expect(paths.filter((_, index) => lists[index]?.length === 0)).toEqual([]);
  expect(await read(other)).toEqual(lists);
});
