// What is compared: the product in both shapes, and a server that does nothing but HTTP and the SQL.

import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { urlFor } from "@ems/kit/db/provision";
import { type Shape, startProduct } from "../harness/product.ts";
import { unlimited } from "../harness/unlimited.ts";

export interface Side {
  readonly name: string;
  readonly baseUrl: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly topicId: string;
  /** Where its rows are, and who may read them. */
  readonly databaseUrl: string;
  /** The same database as its superuser. */
  readonly adminUrl: string;
  readonly tenant: { readonly applicationId: string; readonly orgId: string };
  /** The processes whose CPU time is this side's. */
  readonly pids: readonly number[];
  stop(): Promise<void>;
}

/** What all sides stand on. */
export interface Ground {
  readonly postgresUrl: string;
  readonly natsUrl: string;
  readonly dataDir: string;
}

/** The product in a shape, as an installation in `dataDir` on the server's database; both shapes share its rows. */
export async function startProductSide(
  name: string,
  shape: Shape,
  { postgresUrl, natsUrl, dataDir }: Ground,
): Promise<Side> {
  const adminUrl = new URL("/bench", postgresUrl).href;
  const env = { DATABASE_URL: adminUrl, NATS_URL: natsUrl, ...unlimited };
  const product = await startProduct(shape, { dataDir, env });
  const { baseUrl, applicationId, orgId } = product.facts;
  const apiKey = product.facts.apiKey ?? (await anotherKey(dataDir, adminUrl));
  const headers = { "x-api-key": apiKey, "x-application-id": applicationId, "content-type": "application/json" };
  const answer = await fetch(`${baseUrl}/v0/topics`, { method: "POST", headers, body: '{"title":"Read"}' });
  const { data } = (await answer.json()) as { data: { id: string } };
  const { passwords } = JSON.parse(await readFile(join(dataDir, "secrets.json"), "utf8"));
  return {
    name,
    baseUrl,
    headers,
    topicId: data.id,
    databaseUrl: urlFor(adminUrl, "ems_catalog", passwords),
    adminUrl,
    tenant: { applicationId, orgId },
    pids: shape === "one" ? [product.process.pid ?? 0] : await meshPids(dataDir),
    stop: async () => void (await product.stop()),
  };
}

async function anotherKey(dataDir: string, adminUrl: string): Promise<string> {
  const env = { ...process.env, DATA_DIR: dataDir, DATABASE_URL: adminUrl };
  const { stdout } = await promisify(execFile)(process.execPath, ["deploy/dev/bootstrap.ts", "--json"], { env });
  return JSON.parse(stdout).apiKey;
}

async function meshPids(dataDir: string): Promise<number[]> {
  const processes: { pid: number }[] = JSON.parse(await readFile(join(dataDir, "mesh.json"), "utf8"));
  return processes.map(({ pid }) => pid);
}

/**
 * A bare server on the rows of `beside`. "same" runs the statements that the product runs (transaction, tenant, query,
 * commit); "plain" only the query.
 */
export async function startBareSide(name: string, beside: Side, statements: "same" | "plain"): Promise<Side> {
  const child = spawn(process.execPath, [join(import.meta.dirname, "bare-server.ts"), statements], {
    env: { ...process.env, DATABASE_URL: beside.databaseUrl, TENANT: JSON.stringify(beside.tenant) },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const baseUrl = await firstLine(child);
  return {
    ...beside,
    name,
    baseUrl,
    headers: { "content-type": "application/json" },
    pids: [child.pid ?? 0],
    async stop() {
      const ended = once(child, "close");
      child.kill("SIGTERM");
      await ended;
    },
  };
}

async function firstLine(child: ChildProcess): Promise<string> {
  if (child.stdout === null) throw new Error("the bare server has no stdout");
  const [chunk] = await once(child.stdout, "data");
  return String(chunk).trim();
}
