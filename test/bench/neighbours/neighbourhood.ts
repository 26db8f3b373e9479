// A product with the default limits, a receiver that hangs, and tenants that share the product: the base of the
// benchmarks of noisy neighbors.

import { newId } from "@ems/kit/id";
import pg from "pg";
import { startEventReceiver } from "../../harness/event-receiver.ts";
import type { NoisyTarget } from "../../harness/noisy/noise.ts";
import { type Product, type Shape, startProduct } from "../../harness/product.ts";
import { newTenant } from "../../harness/tenant.ts";
import type { Ground } from "../ground.ts";

export interface Neighbourhood {
  readonly product: Product;
  /** Creates an application with that many tasks, and a webhook that is never answered. */
  tenant(tasks?: number): Promise<NoisyTarget>;
  stop(): Promise<void>;
}

const topicCount = 50;

export async function startNeighbourhood(
  shape: Shape,
  { postgresUrl, natsUrl, dataDir }: Ground,
  env: Record<string, string> = {},
): Promise<Neighbourhood> {
  const receiver = await startEventReceiver();
  receiver.behave({ kind: "hang" });
  const databaseUrl = new URL(`/bench_neighbours_${shape}`, postgresUrl).href;
  const settings = { ...receiver.env, DATABASE_URL: databaseUrl, NATS_URL: natsUrl, LOG_LEVEL: "error", ...env };
  const product = await startProduct(shape, {
    dataDir: `${dataDir}-${shape}-${newId()}`,
    env: { CONSOLE: "on", ...settings },
  });
  return {
    product,
    async tenant(tasks = 0) {
      const { baseUrl, dataDir: ownDir } = product.facts;
      const { api, applicationId, orgId, apiKey } = await newTenant({}, { baseUrl, dataDir: ownDir, databaseUrl });
      const { status, body } = await api.post("/v0/webhook", { url: receiver.url });
      if (status !== 200) throw new Error(`POST /v0/webhook: ${status} ${JSON.stringify(body)}`);
      if (tasks > 0) await fill(databaseUrl, { applicationId, orgId, tasks });
      return { baseUrl, applicationId, apiKey };
    },
    async stop() {
      await product.remove();
      await receiver.close();
    },
  };
}

interface ToFill {
  readonly applicationId: string;
  readonly orgId: string;
  readonly tasks: number;
}

/** Inserts by SQL as a superuser, which bypasses row-level security. */
async function fill(databaseUrl: string, { applicationId, orgId, tasks }: ToFill): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query(
      `WITH topics AS (
         INSERT INTO catalog.topic (application_id, id, org_id, title, status, created_at, modified_at)
         SELECT $1, uuidv7(), $2, 'Topic ' || n, 'ACTIVE', now(), now() FROM generate_series(1, $4::int) n RETURNING id
       ), ids AS (SELECT array_agg(id) AS all FROM topics)
       INSERT INTO catalog.task (application_id, id, org_id, topic_id, title, description, type, status, created_at, modified_at)
       SELECT $1, uuidv7(), $2, ids.all[1 + n % $4::int], 'Task ' || n,
         repeat('A customer asks for the fee of transfer ' || n || ' and for its day. ', 5), 'NORMAL', 'ACTIVE', at, at
       FROM generate_series(1, $3::int) n, ids, LATERAL (SELECT now() - n * interval '10 min' AS at) time`,
      [applicationId, orgId, tasks, topicCount],
    );
    await client.query("ANALYZE catalog.task");
  } finally {
    await client.end();
  }
}
