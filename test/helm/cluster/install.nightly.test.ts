// The Install page, followed literally on a real API server with helm and kubectl: admission, defaults, apply.

import { execFile } from "node:child_process";
import { createHmac } from "node:crypto";
import { mkdir, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { startEmbeddedPostgres } from "@ems/dev/postgres";
import { temporaryDir } from "@ems/dev/temporary-dir";
import { withClient } from "@ems/kit/db/client";
import { loadProgram, newestHelm } from "@ems/release/helm";
import { expect, test } from "vitest";
import { installPage } from "../install/page.ts";
import { writeStandIns } from "../install/stand-ins.ts";
import type { Manifest } from "../render.ts";
import { startApiServer } from "./api-server.ts";
import { startNode } from "./node.ts";

test("the page's commands install the product, and print a key that it knows", { timeout: 1_800_000 }, async () => {
  await using stack = new AsyncDisposableStack();
  const folder = await temporaryDir("ems-install-");
  stack.defer(() => rm(folder, { recursive: true, force: true }));
  const postgres = await startEmbeddedPostgres({ dataDir: join(folder, "pg"), volatile: true });
  stack.defer(() => postgres.stop());
  const server = await startApiServer();
  stack.defer(() => server.stop());
  const adminUrl = new URL("/ems", postgres.url).href;
  const { script, values } = installPage({ adminUrl, natsUrl: "nats://127.0.0.1:4222" });
  const [work, bin] = [join(folder, "work"), join(folder, "bin")];
  await mkdir(work);
  await writeStandIns(bin, ["docker"]);
  for (const name of ["kubectl", "helm"] as const) await symlink(await loadProgram(newestHelm, name), join(bin, name));
  // The reader works in a checkout, and writes the page's values file there.
  await symlink(join(import.meta.dirname, "../../../deploy"), join(work, "deploy"));
  await writeFile(join(work, "values.yaml"), values);

  const node = startNode(server, "ems");
  const env = { PATH: `${bin}:/usr/bin:/bin`, HOME: folder, KUBECONFIG: server.kubeconfig };
  const followed = promisify(execFile)("bash", ["-eu", "-o", "pipefail", "-c", script], { cwd: work, env });
  const { stdout, stderr } = await followed.finally(() => node.stop());

  expect(stderr).not.toMatch(/warning/i);
  const [, apiKey = ""] = /(ems_\S+)$/.exec(stdout) ?? [];
  expect(node.output()).toMatch(/The database is prepared\.\nMigrated: .*API key +as given in BOOTSTRAP_API_KEY/s);
  expect(node.output()).not.toContain(apiKey);
  expect(stdout).toMatch(/Phase: +Succeeded/);
  const { items } = JSON.parse(
    await server.kubectl("get", "deployments", "-n", "ems", "--show-managed-fields", "-o", "json"),
  );
  expect(items).toHaveLength(7);
  for (const { metadata, spec } of items as Manifest[]) {
    const applied = expect.objectContaining({ manager: "helm", operation: "Apply" });
    expect(metadata).toMatchObject({ managedFields: expect.arrayContaining([applied]) });
    // The API server sets this default.
    expect(spec.template.spec.schedulerName).toBe("default-scheduler");
  }
  const secret = await server.kubectl(
    "get",
    "secret",
    "ems-secrets",
    "-n",
    "ems",
    "-o",
    "jsonpath={.data.API_KEY_PEPPERS}",
  );
  const digest = createHmac("sha256", Buffer.from(secret, "base64")).update(apiKey).digest();
  const { rows } = await withClient(adminUrl, (client) => client.query("SELECT digest FROM identity.api_key"));
  expect(rows).toEqual([{ digest }]);
});
