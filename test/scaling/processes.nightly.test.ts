// Gateways and services scale from one to three each and back under load: no request fails, new processes take their
// share, and the connections to PostgreSQL stay within the chart's computed number.

import { clusterPools } from "@ems/deploy/connections";
import { type ProcessName, processNames } from "@ems/deploy/mesh";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { cpuUs } from "../bench/processes.ts";
import { newWriter } from "../harness/writer.ts";
import { acknowledged, lostOrDouble } from "./evidence.ts";
import { type Pods, startPods } from "./pods.ts";
import { type Stores, startStores } from "./product.ts";
import { isFailure, report, startTraffic } from "./traffic.ts";

const copies = 3;
const poolsOfAll = Object.values(clusterPools).reduce(
  (sum, { DATABASE_POOL_MAX, RELAY_POOL_MAX = 0 }) => sum + DATABASE_POOL_MAX + RELAY_POOL_MAX,
  0,
);

let stores: Stores;
let pods: Pods;
beforeAll(async () => {
  // PostgreSQL's default, which suffices for three of each.
  stores = await startStores({ maxConnections: 100 });
  const env = {
    ...stores.env,
    // Callers notice within this time that an address is gone.
    DRAIN_DELAY_MS: "6000",
    // Slow starts on shared cores are not the subject of this test.
    EVENT_LOOP_DELAY_MAX_MS: "10000",
  };
  pods = await startPods(env, stores.installation, stores.directory, stores.nats);
});
afterAll(async () => {
  await pods?.close();
  await stores?.close();
});

test("from one of each to three and back under load: no request fails, and connections stay within their budget", async () => {
  const { installation, receiver, sql } = stores;
  const writer = await newWriter({ installation, baseUrl: pods.nextGateway() }, receiver.url);
  const traffic = startTraffic(pods.nextGateway, writer);
  const opened: number[] = [];
  const look = async () => {
    const [row] = await sql<{ count: number }>(
      "SELECT count(*)::int AS count FROM pg_stat_activity WHERE usename LIKE 'ems_%' AND usename <> 'ems_owner'",
    );
    opened.push(row?.count ?? 0);
  };
  // Fails only if the test's PostgreSQL has ended.
  const looking = setInterval(() => void look().catch(() => undefined), 200);
  onTestFinished(() => clearInterval(looking));
  await acknowledged(traffic, 100);
  const connectionsOfOne = Math.max(...opened);
  for (let copy = 1; copy < copies; copy++) for (const name of processNames) await pods.add(name);
  await acknowledged(traffic, 200);
  // The load calls these; the newest process of each has worked since it started.
  const requested: ProcessName[] = ["gateway", "identity", "catalog", "experiments"];
  const spent = () => requested.map((name) => cpuUs(pods.pids(name).slice(-1)));
  const before = spent();
  await acknowledged(traffic, 200);
  const worked = spent().map((us, at) => us - (before[at] ?? 0));
  const connectionsOfThree = Math.max(...opened);
  const exitCodes: (number | null)[] = [];
  for (let copy = 1; copy < copies; copy++)
    exitCodes.push(...(await Promise.all(processNames.map((name) => pods.remove(name)))));
  await acknowledged(traffic, 100);
  await traffic.stop();

  console.log(
    `one of each to three and back: ${report(traffic)}; connections ${connectionsOfOne}, then ${connectionsOfThree} of ${copies * poolsOfAll}`,
  );
  expect(traffic.answers.filter(isFailure)).toEqual([]);
  expect(Math.min(...worked)).toBeGreaterThan(0);
  expect(connectionsOfThree).toBeLessThanOrEqual(copies * poolsOfAll);
  expect(exitCodes).toEqual(exitCodes.map(() => 0));
  expect(pods.crashes).toEqual([]);
  expect(await lostOrDouble(stores, writer, traffic)).toEqual([]);
});
