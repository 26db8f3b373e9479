// A rolling update as in Kubernetes: every service has two processes, which are stopped and
// restarted one after the other, all services at the same time, while requests and events go on.

import { type ProcessName, processNames } from "@ems/deploy/mesh";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type EventReceiver, startEventReceiver } from "../harness/event-receiver.ts";
import { type FaultMesh, startFaultMesh } from "../harness/fault-mesh.ts";
import { unlimited } from "../harness/unlimited.ts";
import { newWriter } from "../harness/writer.ts";
import { broken, undelivered } from "./invariants.ts";
import { startSteady } from "./steady-load.ts";

let receiver: EventReceiver;
let mesh: FaultMesh;
beforeAll(async () => {
  receiver = await startEventReceiver();
  const env = {
    ...receiver.env,
    ...unlimited,
    // Longer than a caller needs to find a restarted process, and a load balancer to notice one that stops.
    DRAIN_DELAY_MS: "3000",
    // Slow starts on shared cores are not the subject of this test.
    EVENT_LOOP_DELAY_MAX_MS: "10000",
  };
  mesh = await startFaultMesh(env, 2);
});
afterAll(async () => {
  await mesh.close();
  await receiver.close();
});

test("every process is replaced twice under load: no request fails and no event is lost", async () => {
  const writer = await newWriter(mesh, receiver.url);
  const steady = await startSteady({ ...writer, readyUrls: mesh.readyUrls });
  const exitCodes: (number | null)[] = [];
  const roll = async (name: ProcessName) => {
    for (const copy of [0, 1, 0, 1]) {
      mesh.signal(name, "SIGTERM", copy);
      exitCodes.push(await mesh.exited(name, copy));
      await mesh.restart(name, copy);
    }
  };
  await Promise.all(processNames.map(roll));
  await steady.stop();

  expect(steady.failures).toEqual([]);
  expect(steady.counts().answered).toBeGreaterThan(100);
  expect(exitCodes).toEqual(processNames.flatMap(() => [0, 0, 0, 0]));
  expect(mesh.crashes).toEqual([]);
  const { sql } = mesh;
  const { applicationId } = writer;
  await expect.poll(() => undelivered({ sql, applicationId }), { timeout: 60_000, interval: 200 }).toBe(0);
  const received = receiver.getIds(applicationId, "topic.created");
  const evidence = { sql, applicationId, acknowledged: steady.acknowledged, refused: new Set<string>(), received };
  expect(await broken(evidence)).toEqual([]);
});
