// Upgrade notes, generated from the migrations: `npm test -- --project unit test/house/upgrading -u` writes them.

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { between } from "@ems/deploy/helm/generate";
import { schemas } from "@ems/deploy/schemas";
import { provisionDatabase } from "@ems/kit/db/provision";
import { migrationName } from "@ems/kit/db/schema";
import { testDatabase } from "@ems/test-support";
import { expect, inject, test } from "vitest";
import { type MigrationEffects, migrationEffects } from "../harness/migration-effects.ts";

const root = join(import.meta.dirname, "../..");
const page = join(root, "deploy/helm/ems/UPGRADING.md");

const requiredText = `SELECT attrelid::regclass || '.' || attname AS column FROM pg_attribute JOIN pg_class c ON c.oid = attrelid
  WHERE c.relkind IN ('r', 'p') AND attnum > 0 AND attnotnull AND NOT atthasdef AND attidentity = ''`;

/** The newest migration of each schema in a release, newest release first; the last is the baseline. */
const releases: Readonly<Record<string, Readonly<Record<string, number>>>> = JSON.parse(
  await readFile(join(root, "deploy/release/schema-versions.json"), "utf8"),
);

/** Versions of the changelog that were never published; the baseline replaced their migrations. */
const beforeBaseline = ["0.1.0"];

test("UPGRADING lists the effects of each migration on tables in use, and none removes what the previous release uses", async () => {
  const postgres = inject("postgres");
  const database = await testDatabase({ ...postgres, template: "template1" });
  try {
    // Roles belong to the whole server: other tests change them at the same time.
    const provision = () => provisionDatabase(database.superuserUrl, schemas, postgres.passwords);
    await provision().catch(() => provision());
    const effects = await migrationEffects(database.ownerUrl, schemas);
    const [latest = "", newest = {}] = Object.entries(releases)[0] ?? [];
    const after = effects.filter(({ schema, name }) => Number(name.slice(-13)) > (newest[schema] ?? 0));
    // Tables that exist in each schema after the migrations of the release.
    const inUse = new Set(
      schemas.flatMap(({ name }) => {
        const first = after.find(({ schema }) => schema === name);
        return first?.tables.filter((each) => each.startsWith(`${name}.`)) ?? [];
      }),
    );
    // A later migration of the same upgrade may add a default to a column.
    const required = new Set((await database.sql<{ column: string }>(requiredText)).map(({ column }) => column));
    const demanding = after.map((each) => ({
      ...each,
      demanded: each.demanded.filter((column) => required.has(column)),
    }));
    const touching = demanding.map((each) => withinUse(each, inUse)).filter((each) => each.isTouching);
    const text = touching.length > 0 ? `${introduction(latest, touching)}\n${table(touching)}` : none(latest);
    await expect(between(await readFile(page, "utf8"), "migrations", text)).toMatchFileSnapshot(page);
  } finally {
    await database.drop();
  }
});

test("each release of the changelog has the versions of its schemas", async () => {
  const changelog = await readFile(join(root, "CHANGELOG.md"), "utf8");
  const versions = [...changelog.matchAll(/^## \[(\d.*?)\]/gm)].map(([, version]) => version);
  expect(versions).toEqual([...Object.keys(releases).filter((name) => name !== "baseline"), ...beforeBaseline]);
  const [newest = {}] = Object.values(releases);
  for (const { name, migrations } of schemas.filter((schema) => schema.name in newest))
    expect(migrations.map((migration) => Number(migrationName(migration).slice(-13)))).toContain(newest[name]);
});

test("UPGRADING lists the requirements of a service that the previous release lacks", async () => {
  const [newest = {}] = Object.values(releases);
  const notes = (await readFile(page, "utf8")).split(/^## /m).find((section) => section.startsWith("Next version"));
  for (const { name } of schemas.filter((schema) => !(schema.name in newest))) {
    const [role, key] = [`ems_${name}`, `RPC_PRIVATE_KEY_${name.toUpperCase()}`];
    const password = `EMS_${name.toUpperCase()}_PASSWORD`;
    for (const needed of [role, `${name}-uri`, `${name}-password`, key, "RPC_PUBLIC_KEYS", password])
      expect(notes, `the notes on upgrades lack ${needed}`).toContain(`\`${needed}\``);
  }
});

/** Returns the effects on existing tables; no process waits for tables that the upgrade itself creates. */
function withinUse({ locks, passes, removed, demanded, ...rest }: MigrationEffects, inUse: ReadonlySet<string>) {
  const isInUse = (name: string) => inUse.has(name) || inUse.has(name.replace(/\.[^.]+$/, ""));
  const own = {
    ...rest,
    locks: locks.filter(({ table }) => isInUse(table)),
    passes: passes.filter(isInUse),
    removed: removed.filter(isInUse),
    demanded: demanded.filter(isInUse),
  };
  const isTouching = [own.locks, own.passes, own.removed, own.demanded].some(({ length }) => length > 0);
  return { ...own, isTouching };
}

const none = (latest: string) => `No migration since the ${latest} touches tables in use.\n`;

function introduction(latest: string, effects: readonly MigrationEffects[]): string {
  const breaking = effects.flatMap(({ removed, demanded }) => [...removed, ...demanded]);
  const compatibility =
    breaking.length === 0
      ? `None removes a table, a view or a column, or demands a value that ${latest} does not write: its processes run on the newer schema, while they are replaced and after a \`helm rollback\`.`
      : `These are no longer as ${latest} uses them: ${names(breaking)}.`;
  return `Migrations since ${latest} that touch tables in use, by the locks that PostgreSQL has for them. ${compatibility} A lock is held for
milliseconds, but where the last column names a table: there as long as it takes to read its rows once (\`migrate --dry-run\` takes as long).\n`;
}

const names = (found: readonly string[]) => [...new Set(found.map(family))].map((each) => `\`${each}\``).join(", ");

function table(effects: readonly MigrationEffects[]): string {
  const rows = effects.map(({ schema, name, locks, passes, removed, demanded }) => {
    const title = name.replace(/\d{13}$/, "").replaceAll(/(?<=.)[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
    const waiting = (kind: "readers" | "writers") =>
      names(locks.filter(({ wait }) => wait === kind).map((each) => each.table));
    const kind = [
      ...(removed.length > 0 ? [`removes ${names(removed)}`] : []),
      ...(demanded.length > 0 ? [`demands ${names(demanded)}`] : []),
    ].join("; ");
    return `| ${[schema, title, kind || "adds", waiting("readers"), waiting("writers"), names(passes)].join(" | ")} |\n`;
  });
  const head = ["Schema", "Migration", "", "Reads and writes wait", "Writes wait", "Reads all rows of"];
  return `| ${head.join(" | ")} |\n|${" --- |".repeat(head.length)}\n${rows.join("")}`;
}

/** Returns the table's name, without the suffix of a partition. */
function family(name: string): string {
  return name.replace(/_(\d{4}_\d\d|default|p\d+)$/, "");
}
