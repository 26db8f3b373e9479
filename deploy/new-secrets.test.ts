import { isKey } from "@ems/kit/api-key";
import { backupRole } from "@ems/kit/db/backup-role";
import { listRoles } from "@ems/kit/db/provision";
import { expect, test } from "vitest";
import { parseAllDocuments } from "yaml";
import { privateKeyVariable } from "./keys.ts";
import { processNames } from "./mesh.ts";
import { environmentSecrets, kubernetesSecrets } from "./new-secrets.ts";
import { schemas } from "./schemas.ts";

interface Secret {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
  readonly stringData: Readonly<Record<string, string>>;
}
const names = { prefix: "quality", namespace: "ems", databaseUrl: undefined, rolePrefix: "" };
const secrets = (databaseUrl?: string) =>
  parseAllDocuments(kubernetesSecrets({ ...names, databaseUrl })).map((document) => document.toJS() as Secret);
const own = [...processNames.map(privateKeyVariable), "RPC_PUBLIC_KEYS", "API_KEY_PEPPERS", "SEALING_KEYS"];
const roles = [...listRoles(schemas), backupRole].map((role) => role.replace("ems_", "").replaceAll("_", "-"));

test("Kubernetes Secrets have the keys that the chart's values name by default", () => {
  const [keys, database, first] = secrets();
  expect([keys, database, first].map((secret) => secret?.metadata)).toEqual([
    { name: "quality-secrets", namespace: "ems" },
    { name: "quality-database", namespace: "ems" },
    { name: "quality-first-key", namespace: "ems" },
  ]);
  expect(Object.keys(keys?.stringData ?? {})).toEqual(own);
  expect(Object.keys(database?.stringData ?? {})).toEqual(roles.map((role) => `${role}-password`));
  expect(isKey(first?.stringData.BOOTSTRAP_API_KEY ?? "")).toBe(true);
});

test("with a database URL, each role gets a URL with its own password and the parameters", () => {
  const [, database] = secrets("postgres://admin:hunter2@db.example.com:6432/ems?sslmode=verify-full");
  for (const role of roles) {
    const url = new URL(database?.stringData[`${role}-uri`] ?? "");
    expect(url.username).toBe(`ems_${role.replaceAll("-", "_")}`);
    expect(url.password).toBe(database?.stringData[`${role}-password`]);
    expect([url.host, url.pathname, url.search]).toEqual(["db.example.com:6432", "/ems", "?sslmode=verify-full"]);
  }
  expect(JSON.stringify(database)).not.toContain("hunter2");
});

test("each generated environment has new variables of the processes, prepare and bootstrap", () => {
  const lines = environmentSecrets().trim().split("\n");
  expect(lines.map((line) => line.split("=")[0])).toEqual([
    ...own,
    ...[...listRoles(schemas), backupRole].map((role) => `${role.toUpperCase()}_PASSWORD`),
    "BOOTSTRAP_API_KEY",
  ]);
  const otherLines = new Set(environmentSecrets().trim().split("\n"));
  expect(lines.filter((line) => otherLines.has(line))).toEqual([]);
});

test("role names in the URLs have the prefix", () => {
  const [, database] = parseAllDocuments(
    kubernetesSecrets({ ...names, databaseUrl: "postgres://db/ems", rolePrefix: "staging_" }),
  ).map((document) => document.toJS() as Secret);
  expect(new URL(database?.stringData["catalog-relay-uri"] ?? "").username).toBe("staging_ems_catalog_relay");
});
