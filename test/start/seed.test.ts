// `npm run seed`: the same believable data wherever it is made, once.

import { execFile } from "node:child_process";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { temporaryDir } from "@ems/dev/temporary-dir";
import { expect, test } from "vitest";
import { startProduct } from "../harness/product.ts";

const root = join(import.meta.dirname, "../..");

async function seed(dataDir: string) {
  const env = { ...process.env, DATA_DIR: dataDir };
  const { stdout } = await promisify(execFile)(process.execPath, ["deploy/dev/seed.ts", "--size", "small", "--json"], {
    cwd: root,
    env,
  });
  return JSON.parse(stdout);
}

test("fills an application beside a running product, the same each time it is made, and only once", async () => {
  const lists: Record<string, unknown>[][][] = [];
  for (const _installation of ["one", "another"]) {
    const dataDir = await temporaryDir("ems-test-seed-");
    const product = await startProduct("one", { dataDir });
    try {
      const { baseUrl, applicationId, apiKey = "" } = product.facts;
      expect(await seed(dataDir)).toMatchObject({ applicationId, isFilled: true });
      expect(await seed(dataDir)).toMatchObject({ applicationId, isFilled: false });
      const read = async (path: string) => {
        const headers = { "x-api-key": apiKey, "x-application-id": applicationId };
        const answer = await fetch(`${baseUrl}/v0/${path}`, { headers });
        const { data } = (await answer.json()) as { data: Record<string, unknown>[] };
        return data.map(({ title, name, type, createdAt, timestamp, score }) => {
          return { title, name, type, createdAt, timestamp, score };
        });
      };
      const paths = [
        "topics",
        "tasks",
        "tags",
        "documents",
        "definitions",
        "style-guides",
        "experiments",
        "quickstarts",
        "traces",
        "runs",
        "tests",
        "users",
      ];
      lists.push(await Promise.all(paths.map(read)));
    } finally {
      await product.stop();
      await rm(dataDir, { recursive: true, force: true });
    }
  }
  const [first = [], second] = lists;
  expect(first.filter((list) => list.length === 0)).toEqual([]);
  // The operator who made each installation is of its own time; all else is the same.
  const withoutOperator = (all: (typeof lists)[number] | undefined) =>
    all?.map((list) => list.filter(({ name }) => name !== "Operator"));
  expect(withoutOperator(first)).toEqual(withoutOperator(second));
});
