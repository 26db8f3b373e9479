import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { localSecrets } from "./secrets.ts";

test("concurrent creators of the secrets get the same ones", async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "ems-test-secrets-"));
  onTestFinished(() => rm(dataDir, { recursive: true }));
  const all = await Promise.all(Array.from({ length: 20 }, () => localSecrets(dataDir)));
  expect(new Set(all.map((secrets) => JSON.stringify(secrets))).size).toBe(1);
  expect(await localSecrets(dataDir)).toEqual(all[0]);
  expect(await readdir(dataDir)).toEqual(["secrets.json"]);
});
