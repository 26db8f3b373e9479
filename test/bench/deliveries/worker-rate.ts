// Deliveries per second that one worker sustains: signed, over TLS, each logged. Worker, receivers and PostgreSQL share
// the machine. All deliveries are due from the start, so that only sending is measured.

import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { localSecrets } from "@ems/deploy/secrets";
import { migrate } from "@ems/kit/db/migrate";
import { ensureDatabase, provisionDatabase, urlFor } from "@ems/kit/db/provision";
import { ownerRole, relayRole, runtimeRole } from "@ems/kit/db/schema";
import { newId, secureRandom } from "@ems/kit/id";
import { newWebhookSecret } from "@ems/notifications/deliveries";
import { notificationsSchema } from "@ems/notifications/schema";
import { secretBox } from "@ems/notifications/secret-box";
import { testKeys } from "@ems/test-support/rpc-keys";
import pg from "pg";
import { startGround } from "../ground.ts";
import type { Figure } from "../page.ts";
import type { Bench, Part } from "../part.ts";

export const deliveries: Part = {
  title: "Deliveries",
  note: `A worker of this commit, alone, with deliveries that are due: signed, over TLS, each logged. A dead endpoint, which never
answers, has as many again in its queue.`,
  measure: measureDeliveries,
};

interface Receivers {
  readonly env: Record<string, string>;
  readonly live: string;
  readonly dead: string;
}

const workloads = [
  { endpoints: 1, dead: 0 },
  { endpoints: 10, dead: 1 },
  { endpoints: 100, dead: 1 },
];
const payload = JSON.stringify({ type: "topic.created", data: { title: "Benchmark", text: "x".repeat(500) } });

/** Measures that many deliveries with each number of endpoints. */
async function measureDeliveries({ versions, options }: Bench): Promise<Figure[]> {
  const [version] = versions;
  if (version === undefined) return [];
  await using stack = new AsyncDisposableStack();
  const { postgresUrl, dataDir } = await startGround(version, stack);
  const count = options.deliveries;
  const adminUrl = new URL("/bench_deliveries", postgresUrl).href;
  const { passwords } = await localSecrets(dataDir);
  await ensureDatabase(adminUrl);
  await provisionDatabase(adminUrl, [notificationsSchema], passwords);
  await migrate(urlFor(adminUrl, ownerRole, passwords), [notificationsSchema]);
  const receiving = fork(join(import.meta.dirname, "receiver.ts"));
  const [receivers]: Receivers[] = await once(receiving, "message");
  if (receivers === undefined) throw new Error("the receivers did not start");
  const keys = `bench:${secureRandom(32).toString("base64")}`;
  const env = {
    ...process.env,
    ...receivers.env,
    DATABASE_URL: urlFor(adminUrl, runtimeRole(notificationsSchema), passwords),
    RELAY_DATABASE_URL: urlFor(adminUrl, relayRole(notificationsSchema), passwords),
    SEALING_KEYS: keys,
    RPC_PORT: "0",
    RPC_CALLERS: "none",
    ...testKeys,
  };
  const pool = new pg.Pool({ connectionString: adminUrl, max: 2 });
  const rates: Figure[] = [];
  try {
    for (const { endpoints, dead } of workloads) {
      await pool.query("TRUNCATE notifications.delivery, notifications.webhook CASCADE");
      for (let at = 0; at < endpoints; at++) {
        const isDead = at < dead;
        const share = isDead ? count : Math.ceil(count / (endpoints - dead));
        await fill(pool, isDead ? receivers.dead : receivers.live, secretBox(keys, secureRandom), share);
      }
      await pool.query("VACUUM ANALYZE notifications.delivery");
      rates.push({
        what: `endpoints: ${endpoints}, dead: ${dead}`,
        unit: "/s",
        value: await measureRate(pool, env, count),
      });
    }
  } finally {
    await pool.end();
    receiving.disconnect();
  }
  return rates;
}

/** Creates a webhook with that many due deliveries. */
async function fill(pool: pg.Pool, url: string, secrets: ReturnType<typeof secretBox>, count: number): Promise<void> {
  const applicationId = newId();
  const webhookId = newId();
  const secret = secrets.seal(newWebhookSecret(secureRandom), `${applicationId}/secret`);
  await pool.query(
    `INSERT INTO notifications.webhook (application_id, id, org_id, url, secret, header_names, created_at, modified_at)
     VALUES ($1, $2, 'org', $3, $4, '{}', now(), now())`,
    [applicationId, webhookId, `${url}/hook`, secret],
  );
  await pool.query(
    `INSERT INTO notifications.delivery
       (application_id, id, org_id, webhook_id, type, payload, status, created_at, schedule_steps, next_attempt_at)
     SELECT $1, gen_random_uuid(), 'org', $2, 'topic.created', $3, 'PENDING', now(), 10, now() FROM generate_series(1, $4)`,
    [applicationId, webhookId, payload, count],
  );
}

/** Returns the rate between a tenth and nine tenths of `count`, without the start and the end, which differ. */
async function measureRate(pool: pg.Pool, env: NodeJS.ProcessEnv, count: number): Promise<number> {
  const worker = fork(join(import.meta.dirname, "worker.ts"), { env });
  const marks = [0.1 * count, 0.9 * count];
  const reached: { delivered: number; atMs: number }[] = [];
  while (reached.length < marks.length) {
    const { rows } = await pool.query(
      "SELECT count(*)::int AS n FROM notifications.delivery WHERE status = 'DELIVERED'",
    );
    const delivered = Number(rows[0]?.n);
    if (delivered >= (marks[reached.length] ?? 0)) reached.push({ delivered, atMs: performance.now() });
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  const ended = once(worker, "exit");
  worker.disconnect();
  await ended;
  const [first, last] = reached;
  if (first === undefined || last === undefined) return Number.NaN;
  return Math.round(((last.delivered - first.delivered) * 1000) / (last.atMs - first.atMs));
}
