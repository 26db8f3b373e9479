import { setTimeout as delay, setImmediate } from "node:timers/promises";
import { capturedLog } from "@ems/test-support";
import { expect, onTestFinished, test } from "vitest";
import { metricsText } from "./metrics.ts";
import { heldMs, Watchdog } from "./watchdog.ts";

const holdMs = heldMs + 50;

/** Blocks the event loop for this much CPU time; elapsed time would include other processes. */
function hold(ms = holdMs): void {
  const { user, system } = process.threadCpuUsage();
  let usedMs = 0;
  while (usedMs < ms) {
    const used = process.threadCpuUsage();
    usedMs = (used.user + used.system - user - system) / 1000;
  }
}

function started() {
  const { log, text } = capturedLog();
  const watchdog = new Watchdog();
  onTestFinished(watchdog.start(log));
  const lines = () =>
    text()
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line));
  return { watchdog, lines };
}

const request = (name: string) => ({
  method: "POST",
  route: `/v0/${name}`,
  requestId: name,
  applicationId: `app-${name}`,
});
const rest = ["a", "b", "c", "d"];

/** Runs requests that alternate between waiting and short work. */
function busy(watchdog: Watchdog, name: string, rounds = 20): Promise<void> {
  return watchdog.watch(request(name), async () => {
    for (let round = 0; round < rounds; round++) {
      await watchdog.wait(delay(1));
      hold(2);
    }
  });
}

/** Places in a request where it may block the loop. */
const holders: Record<string, (watchdog: Watchdog) => Promise<void>> = {
  "at its beginning": async () => hold(),
  "after it has waited": async (watchdog) => {
    await watchdog.wait(delay(5));
    hold();
  },
  "between two waits": async (watchdog) => {
    await watchdog.wait(delay(5));
    hold();
    await watchdog.wait(delay(5));
  },
  "after a wait that has no mark, before another one": async (watchdog) => {
    await watchdog.wait(delay(5));
    await setImmediate();
    hold();
    await watchdog.wait(delay(5));
  },
  "before a wait that has no mark": async (watchdog) => {
    await watchdog.wait(delay(5));
    hold();
    await delay(50);
  },
};

test.each(Object.entries(holders))(
  "names the request that blocks the event loop %s, among many",
  async (_name, handle) => {
    const { watchdog, lines } = started();
    await Promise.all([
      ...rest.map((name) => busy(watchdog, name)),
      delay(10).then(() => watchdog.watch(request("slow"), () => handle(watchdog))),
      ...rest.map((name) => busy(watchdog, `${name}2`)),
    ]);
    // A busy machine may also block the event loop; those log lines name no route, so ignore them.
    const held = lines().filter((line) => "route" in line);
    expect(held).toMatchObject([
      { msg: "event loop held", ...request("slow"), ms: expect.any(Number), cpuMs: expect.any(Number) },
    ]);
    expect(held[0]?.ms).toBeGreaterThanOrEqual(heldMs);
    expect(await metricsText()).toMatch(
      /ems_event_loop_held_seconds_count\{http_request_method="POST",http_route="\/v0\/slow",rpc_method=""\} \d/,
    );
  },
);

test("code outside of requests is reported without one, even while requests wait", async () => {
  const { watchdog, lines } = started();
  await Promise.all([busy(watchdog, "a"), delay(10).then(() => hold()), busy(watchdog, "b")]);
  await delay(50);
  expect(lines()).toHaveLength(1);
  expect(lines()[0]).not.toHaveProperty("route");
  expect(await metricsText()).toMatch(/ems_event_loop_holds_total [1-9]/);
});

test("waiting, and work in small parts, is not reported", async () => {
  const { watchdog, lines } = started();
  await Promise.all([
    watchdog.watch(request("waits"), () => watchdog.wait(delay(2 * heldMs))),
    watchdog.watch(request("idle"), () => delay(2 * heldMs)),
    ...rest.map((name) => busy(watchdog, name, 40)),
  ]);
  expect(lines()).toEqual([]);
});
