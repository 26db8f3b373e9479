// Users' programs, such as those in deploy/example/grpc, in a folder with only the published schema of this repository.

import { execFile } from "node:child_process";
import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, expect, inject, onTestFinished, TestRunner } from "vitest";
import { newTenant, type TestTenant } from "../harness/tenant.ts";

const root = join(import.meta.dirname, "../..");
const run = promisify(execFile);

export interface Folder {
  readonly folder: string;
  /** Output of `npm run schema`. */
  readonly schema: string;
  /** Runs a command in the folder, and returns its output. */
  run(command: string, args: readonly string[], env?: Readonly<Record<string, string>>): Promise<Ran>;
}

export interface Example extends Folder {
  readonly tenant: TestTenant;
}

export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export async function openExample(language: string): Promise<Example> {
  const tenant = await newTenant();
  const settings = { EMS_GRPC: new URL(inject("product").grpcUrl).host, EMS_API_KEY: tenant.apiKey };
  return { tenant, ...(await openFolder(join("deploy/example/grpc", language), settings)) };
}

/** Copies a folder of the repository, and adds the schema. */
export async function openFolder(source: string, settings: Readonly<Record<string, string>> = {}): Promise<Folder> {
  const folder = await mkdtemp(join(tmpdir(), `ems-test-example-${basename(source)}-`));
  // A file-level hook that is registered within a test would never run.
  const atEnd = TestRunner.getCurrentTest() === undefined ? afterAll : onTestFinished;
  atEnd(() => rm(folder, { recursive: true, force: true }));
  await cp(join(root, source), folder, { recursive: true });
  const schema = join(folder, "schema");
  await run(process.execPath, ["deploy/dev/schema/main.ts", "--out", schema], { cwd: root });
  return {
    folder,
    schema,
    run: (command, args, env = {}) =>
      run(command, args, { cwd: folder, env: { ...process.env, ...settings, ...env }, maxBuffer: 2 ** 26 }).then(
        ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
        ({ code, stdout, stderr, message }) => {
          if (typeof code !== "number") throw new Error(message);
          return { code, stdout, stderr };
        },
      ),
  };
}

/** Tests an example in any language; `invoke` runs it with a command. */
export async function expectEveryCall(
  { tenant, run: _run }: Example,
  invoke: (command: string, env?: Readonly<Record<string, string>>) => Promise<Ran>,
): Promise<void> {
  const succeed = async (command: string) => {
    const ran = await invoke(command);
    expect([ran.code, ran.stderr]).toEqual([0, ""]);
    return ran.stdout.trim().split("\n");
  };
  const [created = ""] = await succeed("topic");
  const [, id, requestId] = /^topic (\S+) by request (\S+)$/.exec(created) ?? [];
  expect(requestId).toBeDefined();
  expect((await tenant.api.get(`/v0/topics/${id}`)).body.data.title).toBe("Opening an account");

  for (const title of ["First", "Second"]) await tenant.api.post("/v0/tasks", { title, description: "Of the example" });
  expect((await succeed("tasks")).map((line) => line.replace(/ \S+ /, " ")).sort()).toEqual([
    "task First",
    "task Second",
  ]);

  expect(await succeed("report")).toEqual([expect.stringMatching(/^report .*count.*\b1\b/)]);

  const [sent = ""] = await succeed("trace");
  const traces = await tenant.api.get(`/v0/traces?referenceId=${sent.split(" ")[1]}`);
  expect(traces.body.data).toHaveLength(1);

  const refused = await invoke("topic", { EMS_API_KEY: "nobody" });
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringMatching(/UNAUTHENTICATED|Unauthenticated/)]);
  expect(refused.stderr).toContain("reason API_KEY_INVALID");
}
