// Start-up of `ems`, which must be fast, because scripts run it in loops.

import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";

/** Prints the package of each module when the module is loaded. */
const preload = `import { registerHooks } from "node:module";
registerHooks({ load(url, context, next) {
  process.stderr.write((/.*\\/node_modules\\/((?:@[^/]+\\/)?[^/]+)/.exec(url)?.[1] ?? "") + "\\n");
  return next(url, context);
} });`;

test("the start loads the parser of the command line, and no module of the services", async () => {
  const args = [
    "--import",
    `data:text/javascript,${encodeURIComponent(preload)}`,
    join(import.meta.dirname, "main.ts"),
  ];
  const { stderr } = await promisify(execFile)(process.execPath, [...args, "--help"]);
  const loaded = new Set(stderr.split("\n"));
  expect([...loaded]).toContain("commander");
  expect([...loaded].filter((name) => /^(@bufbuild|@connectrpc|nats|typeorm|undici|yaml|zod)/.test(name))).toEqual([]);
});

test("--version prints one line, and an invalid setting has its own exit code", async () => {
  const ems = (args: string[], env: Record<string, string> = {}) =>
    promisify(execFile)(process.execPath, [join(import.meta.dirname, "main.ts"), ...args], { env }).catch(
      (error: unknown) => error,
    );
  expect(await ems(["--version"])).toEqual({ stdout: "ems 0.1.0\n", stderr: "" });
  expect(await ems(["doctor"], { OWNER_DATABASE_URL: "mysql://root:hunter2@db" })).toMatchObject({
    code: 2,
    stderr: "The configuration cannot be used:\n  OWNER_DATABASE_URL: must be a postgres:// URL\n",
  });
});
