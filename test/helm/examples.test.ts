import { readFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { meshUsers, natsUsers, userName } from "@ems/deploy/nats-users";
import { schemas } from "@ems/deploy/schemas";
import { startEmbeddedPostgres } from "@ems/dev/postgres";
import { temporaryDir } from "@ems/dev/temporary-dir";
import { backupRole } from "@ems/kit/db/backup-role";
import { migrate } from "@ems/kit/db/migrate";
import { listRoles, provisionDatabase, urlFor } from "@ems/kit/db/provision";
import { ownerRole } from "@ems/kit/db/schema";
import { helm } from "@ems/release/helm";
import pg from "pg";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { caseFile, chart } from "./render.ts";

const roles = [...listRoles(schemas), backupRole];
const example = (name: string) => join(chart, "examples", name);

test("CloudNativePG's example makes the database that migrations and services need", async () => {
  const cluster = parse(readFileSync(example("cloudnative-pg.cluster.yaml"), "utf8"));
  const { owner, postInitApplicationSQL } = cluster.spec.bootstrap.initdb;
  const managed = cluster.spec.managed.roles.map(({ name }: { name: string }) => name);
  expect([owner, ...managed]).toEqual(roles);

  const passwords = Object.fromEntries(roles.map((role) => [role, "any"]));
  const dataDir = await temporaryDir("ems-example-");
  const server = await startEmbeddedPostgres({ dataDir, volatile: true });
  try {
    const like = async (name: string, prepare: (url: string) => Promise<unknown>) => {
      const url = new URL(`/${name}`, server.url).href;
      await query(server.url, `CREATE DATABASE ${name}`);
      await prepare(url);
      await query(url, `ALTER ROLE ${ownerRole} PASSWORD 'any'`);
      await migrate(urlFor(url, ownerRole, passwords), schemas);
      return query(
        url,
        "SELECT nspname, nspowner::regrole, nspacl::text[] FROM pg_namespace WHERE nspname !~ '^pg_' ORDER BY 1",
      );
    };
    const byExample = await like("ems", async (url) => {
      await query(url, `CREATE ROLE ${owner} LOGIN`);
      for (const statement of postInitApplicationSQL) await query(url, statement);
    });
    const byProduct = await like("own", (url) => provisionDatabase(url, schemas, passwords));
    expect(byExample).toEqual(byProduct);
  } finally {
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
});

test("CloudNativePG's example says how many connections its cluster has", () => {
  const [cluster, values] = ["cloudnative-pg.cluster.yaml", "cloudnative-pg.values.yaml"].map((name) =>
    parse(readFileSync(example(name), "utf8")),
  );
  expect(Number(cluster.spec.postgresql.parameters.max_connections)).toBe(values.database.maxConnections);
});

test("the example of the official NATS chart has the users that the product has", () => {
  const { config, container } = parse(readFileSync(example("nats.chart.yaml"), "utf8"));
  const rule = (subjects: readonly string[]) => (subjects.length === 0 ? { deny: ">" } : { allow: [...subjects] });
  expect(config.merge.authorization.users).toEqual(
    meshUsers.map((user) => ({
      user: userName(user),
      password: `<< $EMS_${user.toUpperCase()}_PASSWORD >>`,
      permissions: { publish: rule(natsUsers[user].publish), subscribe: rule(natsUsers[user].subscribe) },
    })),
  );
  expect(Object.keys(container.env)).toEqual(meshUsers.map((user) => `EMS_${user.toUpperCase()}_PASSWORD`));
});

// Helm 3 renders notes only with access to a cluster.
test("the notes say how to create the first key, and what is missing", async () => {
  const notes = async (file: string, ...args: string[]) => {
    const options = ["-n", "ems", "--dry-run=client", "-f", file, ...args];
    const { ok, stdout, stderr } = await helm("4.1.4", "install", "prod", chart, ...options);
    expect(ok, stderr).toBe(true);
    return stdout.slice(stdout.indexOf("NOTES:"));
  };
  const minimal = await notes(caseFile("minimal"));
  expect(minimal).toContain(
    "get secret ems-database -o jsonpath='{.data.owner-uri}' | base64 -d \\\n       | kubectl -n ems exec -i",
  );
  expect(minimal).toContain(
    "NATS is not configured for catalog, evaluation, experiments, gateway, identity, notifications, traces",
  );
  expect(minimal).toContain("No mail relay is configured");
  const parts = await notes(caseFile("parts"));
  expect(parts).toContain('@postgres.example.com:6432/ems?sslmode=verify-full"');
  const nats = await notes(caseFile("plain-nats"));
  expect(nats).not.toMatch(/is not set|is set:/);
  expect(nats).toContain("All processes share one NATS user.");
  expect(await notes(example("nats.values.yaml"))).not.toMatch(/NATS/);
});

async function query(url: string, statement: string) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(statement)).rows;
  } finally {
    await client.end();
  }
}
