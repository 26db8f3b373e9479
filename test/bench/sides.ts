// The compared sides: the product in both shapes, and a server that does only HTTP and SQL.

import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { urlFor } from "@ems/kit/db/provision";
import { type Product, type Shape, startProduct } from "../harness/product.ts";
import { unlimited } from "../harness/unlimited.ts";
import type { Ground } from "./ground.ts";
import { getFamily } from "./processes.ts";

export interface Side {
  readonly baseUrl: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly topicId: string;
  readonly tenant: { readonly applicationId: string; readonly orgId: string };
  /** URL of the side's database as the superuser. */
  readonly adminUrl: string;
  /** Processes of the side. PostgreSQL's CPU time counts, too: it serves no other side during the load. */
  readonly pids: readonly number[];
  readonly postgresPid: number;
}

export interface ProductSide extends Side {
  readonly product: Product;
}

/** Starts the product in a shape, without rate limits, as a separate installation on the ground. */
export async function startProductSide(
  shape: Shape,
  ground: Ground,
  stack: AsyncDisposableStack,
  settings: Readonly<Record<string, string>> = {},
): Promise<ProductSide> {
  const { product, adminUrl, pids } = await startOn(ground, shape, stack, settings);
  const { baseUrl, applicationId, orgId, apiKey = "" } = product.facts;
  const headers = { "x-api-key": apiKey, "x-application-id": applicationId, "content-type": "application/json" };
  const answer = await fetch(`${baseUrl}/v0/topics`, { method: "POST", headers, body: '{"title":"Read"}' });
  const { data } = (await answer.json()) as { data: { id: string } };
  const tenant = { applicationId, orgId };
  return { baseUrl, headers, topicId: data.id, tenant, adminUrl, pids, postgresPid: ground.postgresPid, product };
}

/** Restarts a side's stopped product with other settings. */
export async function restartProductSide(
  side: ProductSide,
  ground: Ground,
  stack: AsyncDisposableStack,
  settings: Readonly<Record<string, string>>,
): Promise<ProductSide> {
  const { product, pids } = await startOn(ground, side.product.facts.shape, stack, settings);
  return { ...side, baseUrl: product.facts.baseUrl, pids, product };
}

async function startOn(
  { root, postgresUrl, natsUrl, dataDir }: Ground,
  shape: Shape,
  stack: AsyncDisposableStack,
  settings: Readonly<Record<string, string>>,
) {
  const adminUrl = new URL("/bench", postgresUrl).href;
  const env = { DATABASE_URL: adminUrl, NATS_URL: natsUrl, ...unlimited, ...settings };
  const product = await startProduct(shape, { dataDir, env, root });
  stack.defer(async () => void (await product.stop()));
  return { product, adminUrl, pids: getFamily(product.process.pid ?? 0) };
}

/** Creates another application on the product's installation. */
export async function anotherApplication(
  { root, dataDir }: Ground,
  { adminUrl }: Side,
): Promise<{ applicationId: string; orgId: string; apiKey: string }> {
  const env = { ...process.env, DATA_DIR: dataDir, DATABASE_URL: adminUrl };
  const args = ["deploy/dev/bootstrap.ts", "--json", "--organisation", "Small", "--application", "Small"];
  const { stdout } = await promisify(execFile)(process.execPath, args, { env, cwd: root });
  return JSON.parse(stdout);
}

/**
 * Starts bare servers on the rows of a stopped product, so that PostgreSQL has no other client. "same" runs the
 * product's statements (transaction, tenant, query, commit); "plain" runs only the query.
 */
export async function startBareSides(
  ground: Ground,
  stack: AsyncDisposableStack,
): Promise<{ same: Side; plain: Side }> {
  const filled = await startProductSide("one", ground, stack);
  await filled.product.stop();
  const { passwords } = JSON.parse(await readFile(join(ground.dataDir, "secrets.json"), "utf8"));
  const databaseUrl = urlFor(filled.adminUrl, "ems_catalog", passwords);
  const start = async (statements: "same" | "plain") => {
    const child = spawn(process.execPath, [join(import.meta.dirname, "bare-server.ts"), statements], {
      env: { ...process.env, DATABASE_URL: databaseUrl, TENANT: JSON.stringify(filled.tenant) },
      stdio: ["ignore", "pipe", "inherit"],
    });
    stack.defer(async () => {
      const ended = once(child, "close");
      child.kill("SIGTERM");
      await ended;
    });
    const baseUrl = await firstLine(child);
    return { ...filled, baseUrl, headers: { "content-type": "application/json" }, pids: [child.pid ?? 0] };
  };
  return { same: await start("same"), plain: await start("plain") };
}

/** Returns the first line that the process prints. */
export async function firstLine(child: ChildProcess): Promise<string> {
  if (child.stdout === null) throw new Error("the process has no stdout");
  const [chunk] = await once(child.stdout, "data");
  return String(chunk).trim();
}
