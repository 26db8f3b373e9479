// Platform callers of a mesh: their keys, their document, and tokens made without the product's code.

import { generateKeyPairSync, type KeyObject } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ProcessName } from "@ems/deploy/mesh";
import { newId } from "@ems/kit/id";
import pg from "pg";
import { type Claims, callerToken } from "./caller-token.ts";
import { newDataDir } from "./data-dir.ts";
import { findProcess } from "./mesh-address.ts";
import { startNames } from "./names.ts";
import { startProduct } from "./product.ts";
import { framed, openSession, rawCall } from "./raw-grpc.ts";

export interface PlatformKey {
  /** Base64 of DER: PKCS #8, and SPKI. */
  readonly privateKey: string;
  readonly publicKey: string;
}

export function platformKey(): PlatformKey {
  const { privateKey, publicKey } = generateKeyPairSync("ed25519");
  const text = (key: KeyObject, type: "pkcs8" | "spki") => key.export({ format: "der", type }).toString("base64");
  return { privateKey: text(privateKey, "pkcs8"), publicKey: text(publicKey, "spki") };
}

/** Authorization header with a valid token, except for the overridden claims. */
export function platformToken(key: PlatformKey, iss: string, aud: string | string[], claims: Partial<Claims> = {}) {
  const nowS = Math.floor(Date.now() / 1000);
  return callerToken(key.privateKey, { iss, aud, iat: nowS, exp: nowS + 600, ...claims });
}

/** The services of a mesh. */
export const serviceNames = [
  "identity",
  "catalog",
  "traces",
  "experiments",
  "evaluation",
  "reporting",
  "notifications",
] as const;

export interface Rpc {
  readonly service: ProcessName;
  readonly path: string;
}

/** A mesh with `callers` in its document. */
export async function startWithCallers(callers: readonly object[]) {
  const dataDir = await newDataDir("ems-test-callers-");
  await writeFile(join(dataDir, "callers.yaml"), JSON.stringify({ callers }));
  const names = await startNames();
  const product = await startProduct("mesh", { dataDir, env: names.env });
  const { facts } = product;
  const sessions = new Map<string, ReturnType<typeof openSession>>();
  for (const name of serviceNames) sessions.set(name, openSession((await findProcess(facts, name)).address));
  const { adminUrl } = JSON.parse(await readFile(join(dataDir, "running.json"), "utf8"));
  const database = new pg.Client({ connectionString: adminUrl });
  await database.connect();
  return {
    facts,
    database,
    /** Calls the service itself. */
    call({ service, path }: Rpc, headers: Record<string, string>, message = new Uint8Array()) {
      const session = sessions.get(service);
      if (session === undefined) throw new Error(`no ${service}`);
      const { stream, answer } = rawCall(session, path, headers);
      stream.end(framed(message));
      return answer;
    },
    /** Number of rows of every table. */
    async rowCounts(): Promise<string> {
      const { rows } = await database.query<{ name: string }>(
        `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables WHERE schemaname = ANY ($1) ORDER BY 1`,
        [serviceNames],
      );
      const counts = rows.map(({ name }) => `SELECT '${name}' AS name, count(*)::int AS rows FROM ${name}`);
      return JSON.stringify((await database.query(counts.join(" UNION ALL "))).rows);
    },
    addTenant: (orgId: string) => addTenant(database, orgId),
    async remove() {
      for (const session of sessions.values()) session.close();
      await database.end();
      await product.remove();
      await names.close();
    },
  };
}

/** Adds an organization with one application and one user, with ids as in the headers. */
async function addTenant(database: pg.Client, orgId: string) {
  const [applicationId, userId] = [newId(), `ada of ${orgId}`];
  await database.query(
    "INSERT INTO identity.organisation (id, name, created_at, modified_at) VALUES ($1, $1, now(), now())",
    [orgId],
  );
  await database.query(
    "INSERT INTO identity.app_user (org_id, id, name, created_at, modified_at) VALUES ($1, $2, 'Ada', now(), now())",
    [orgId, userId],
  );
  await database.query(
    `INSERT INTO identity.application (org_id, id, title, slug, description, context, type, environment,
       human_annotation_enabled, created_at, modified_at)
     VALUES ($1, $2, 'Support', 'support', '', '', 'CHATBOT', 'PROD', true, now(), now())`,
    [orgId, applicationId],
  );
  return { "x-organization-id": orgId, "x-application-id": applicationId, "x-user-id": userId };
}
