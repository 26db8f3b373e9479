// The whole product behind PgBouncer in transaction mode: eight connections of a service share two backends.

import { mkdir, rm } from "node:fs/promises";
import { schemas } from "@ems/deploy/schemas";
import { deployConfig } from "@ems/dev/config";
import { openInstallation } from "@ems/dev/installation";
import { runOneProcess } from "@ems/dev/one-process";
import { temporaryDir } from "@ems/dev/temporary-dir";
import { bootstrap } from "@ems/identity/bootstrap";
import { systemClock } from "@ems/kit/clock";
import { dryRunMigrations } from "@ems/kit/db/migrate";
import { ownerRole, runtimeRole } from "@ems/kit/db/schema";
import { newId, secureRandom } from "@ems/kit/id";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Ems, emsAs } from "../harness/cli.ts";
import { type PgBouncer, startPgBouncer } from "../harness/pgbouncer.ts";

const runtimeRoles = schemas.map(runtimeRole);
const closers: (() => Promise<unknown>)[] = [];
const owner = { always: true, clock: systemClock, newId, random: secureRandom };
let bouncer: PgBouncer;
let ownerUrl: string;
let ems: Ems;
let fetchAs: (path: string, init?: RequestInit) => Promise<{ status: number; body: Record<string, unknown> }>;

beforeAll(async () => {
  const dataDir = await temporaryDir("ems-test-pooled-");
  closers.push(() => rm(dataDir, { recursive: true, force: true }));
  await mkdir(dataDir, { recursive: true });
  const env = {
    DATA_DIR: dataDir,
    DATABASE_POOLER: "transaction",
    PORT: "0",
    GRPC_PORT: "off",
    CONSOLE: "off",
    LOG_LEVEL: "error",
  };
  const installation = await openInstallation(deployConfig(env), () => undefined);
  closers.push(() => installation.close());
  bouncer = await startPgBouncer([...runtimeRoles, ownerRole].map(installation.urlAs), 2);
  closers.push(() => bouncer.stop());
  const urlAs = (role: string) => {
    const url = installation.urlAs(role);
    return runtimeRoles.includes(role) ? bouncer.getUrl(url) : url;
  };
  const running = await runOneProcess(env, { ...installation, urlAs }, { urlAs: () => undefined });
  closers.push(() => running.stop());
  ownerUrl = installation.urlAs(ownerRole);
  const { applicationId, apiKey = "" } = await bootstrap({
    ...owner,
    ownerUrl,
    peppers: [installation.secrets.apiKeyPepper],
  });
  const { baseUrl } = running;
  ems = emsAs({ baseUrl, apiKey, applicationId });
  fetchAs = async (path, init) => {
    const headers = { "x-api-key": apiKey, "x-application-id": applicationId, "content-type": "application/json" };
    const response = await fetch(`${baseUrl}${path}`, { ...init, headers });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  };
});
afterAll(async () => {
  for (const close of closers.reverse()) await close();
});

test("the public API works as without one, from topics to reports", async () => {
  const { code, stdout, stderr } = await ems(["smoke"]);
  expect({ code, output: stdout + stderr }).toEqual({ code: 0, output: expect.stringMatching(/passed, 0 failed/) });
});

test("many requests at once wait for a backend, and all are answered", async () => {
  const titles = Array.from({ length: 60 }, (_, index) => `pooled ${index}`);
  const answers = await Promise.all(
    titles.map((title) => fetchAs("/v0/topics", { method: "POST", body: JSON.stringify({ title }) })),
  );
  expect(answers.map(({ status }) => status)).toEqual(titles.map(() => 201));
  const { body } = await fetchAs("/v0/topics?title=pooled&limit=1");
  expect(body.pagination).toMatchObject({ total: titles.length });
});

test("migrations through it are refused, rather than lose their lock", async () => {
  await expect(dryRunMigrations(bouncer.getUrl(ownerUrl), schemas)).rejects.toThrow(/unsupported startup parameter/);
  await expect(bootstrap({ ...owner, ownerUrl: bouncer.getUrl(ownerUrl), peppers: ["x".repeat(32)] })).rejects.toThrow(
    /unsupported startup parameter/,
  );
});
