// The Install page, followed literally: its commands run in a shell that exits at the first failure.

import { execFile } from "node:child_process";
import { createHmac } from "node:crypto";
import { mkdir, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { startEmbeddedPostgres } from "@ems/dev/postgres";
import { temporaryDir } from "@ems/dev/temporary-dir";
import { withClient } from "@ems/kit/db/client";
import { expect, test } from "vitest";
import { getPods, type Manifest } from "../render.ts";
import { installPage } from "./page.ts";
import { runContainers } from "./run-containers.ts";
import { getSecrets, objectsIn, writeStandIns } from "./stand-ins.ts";

test("the page's commands make Secrets, roles, schemas and a first key on an empty server, and print the key", async () => {
  const folder = await temporaryDir("ems-install-");
  const server = await startEmbeddedPostgres({ dataDir: join(folder, "pg"), volatile: true });
  try {
    const adminUrl = new URL("/ems", server.url).href;
    const { script, values } = installPage({ adminUrl, natsUrl: "nats://127.0.0.1:4222" });
    const [work, objects, bin] = ["work", "objects", "bin"].map((name) => join(folder, name));
    for (const each of [work, objects]) await mkdir(each ?? "");
    await writeStandIns(bin ?? "");
    // The reader works in a checkout, and writes the page's values file there.
    await symlink(join(import.meta.dirname, "../../../deploy"), join(work ?? "", "deploy"));
    await writeFile(join(work ?? "", "values.yaml"), values);
    const env = { PATH: `${bin}:/usr/bin:/bin`, EMS_OBJECTS: objects };
    const { stdout } = await promisify(execFile)("bash", ["-eu", "-o", "pipefail", "-c", script], { cwd: work, env });

    const made = await objectsIn(objects ?? "");
    const secrets = getSecrets(made);
    // Every Secret that a pod refers to exists, with every key that it refers to.
    for (const [, name = "", key = ""] of JSON.stringify(made).matchAll(
      /"secretKeyRef":{"name":"(.+?)","key":"(.+?)"}/g,
    ))
      expect(secrets[name], name).toHaveProperty([key]);
    const apiKey = secrets["ems-first-key"]?.BOOTSTRAP_API_KEY ?? "";
    expect(apiKey).toMatch(/^ems_/);
    // The last command prints the key; the Job's log does not contain it.
    const [log = "", printed] = [stdout.slice(0, -apiKey.length), stdout.slice(-apiKey.length)];
    expect(printed).toBe(apiKey);
    expect(log).toMatch(/The database is prepared\.\nMigrated: .*API key +as given in BOOTSTRAP_API_KEY/s);
    expect(log).not.toContain(apiKey);

    const [pod] = getPods(made.filter(({ kind }) => kind === "Job"));
    // The Job may run twice: after an upgrade, or after its pod was lost.
    const repeated = await runContainers(pod?.spec as Manifest, secrets);
    expect(repeated).toMatch(/The database is up to date\..*API key +the application has one already/s);
    expect(repeated).not.toContain(apiKey);
    const keys = await withClient(adminUrl, (client) =>
      client.query(
        "SELECT k.digest, o.name AS organisation, a.title FROM identity.api_key k JOIN identity.application a ON a.id = k.application_id JOIN identity.organisation o ON o.id = a.org_id",
      ),
    );
    const digest = createHmac("sha256", secrets["ems-secrets"]?.API_KEY_PEPPERS ?? "")
      .update(apiKey)
      .digest();
    expect(keys.rows).toEqual([{ digest, organisation: "Retail bank", title: "Support assistant" }]);
  } finally {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  }
});
