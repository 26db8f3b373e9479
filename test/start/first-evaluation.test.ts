// The guide to the first evaluation, followed word by word against `npm start`.

import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, expect, test } from "vitest";
import { startProduct } from "../harness/product.ts";

const root = join(import.meta.dirname, "../..");
const guide = await readFile(join(root, "deploy/example/first-evaluation/README.md"), "utf8");
const blocks = (language: string) =>
  [...guide.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, "gms"))].map(([, text = ""]) => text);

const product = await startProduct("one");
afterAll(() => product.remove());

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === "object" && address !== null ? address.port : 0;
}

test("its commands end in the table that it shows: one wrong answer, with its reason", async () => {
  const [start, ...commands] = blocks("sh");
  expect(start).toBe("npm start\n");
  const { baseUrl, apiKey = "", applicationId } = product.facts;
  const port = await freePort();
  // What `npm start` printed, and a port that is free on this machine.
  const script = commands
    .join("\n")
    .replace("http://127.0.0.1:3000", baseUrl)
    .replace("EMS_API_KEY=ems_…", `EMS_API_KEY=${apiKey}`)
    .replace("EMS_APPLICATION_ID=…", `EMS_APPLICATION_ID=${applicationId}`)
    .replace("127.0.0.1:8787", `127.0.0.1:${port}`);
  expect(script).not.toContain("…");
  const env = { ...process.env, PORT: String(port) };
  const { code, stdout, stderr } = await promisify(execFile)("bash", ["-c", `trap 'kill $(jobs -p)' EXIT\n${script}`], {
    cwd: root,
    env,
    timeout: 240_000,
  }).then(
    (ended) => ({ code: 0, ...ended }),
    (error: { code: number; stdout: string; stderr: string }) => error,
  );
  const [table = ""] = blocks("text");
  const shown = stdout.slice(stdout.indexOf("Task "));
  const ids = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
  expect([shown.replaceAll(ids, "…"), stderr]).toEqual([table, expect.stringContaining("2 of 3 tests passed")]);
  expect(code).toBe(1);
});
