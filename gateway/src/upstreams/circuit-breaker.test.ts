// The circuit breaker and bulkhead of each service.

import { createClient, createRouterTransport, type Transport } from "@connectrpc/connect";
import { Code, deadlineExceeded, notFound, unanswered, unavailable } from "@ems/kit/errors";
import { createLog } from "@ems/kit/log";
import { createTenantContext } from "@ems/kit/rpc/call";
import type { Tenant } from "@ems/kit/tenant";
import { TopicService } from "@ems/proto/catalog/v1/topic_service";
import { stopClock } from "@ems/test-support";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { protectedPeers } from "./call-upstream.ts";

const config = { BREAKER_FAILURES: 3, BREAKER_OPEN_MS: 200, UPSTREAM_IN_FLIGHT_MAX: 4 };
const found = async () => ({ data: { id: "a" } });
let calls: number;
let answer: () => Promise<object>;
let peer: (name: string) => Transport;
beforeEach(() => {
  calls = 0;
  const router = createRouterTransport(({ service }) => {
    service(TopicService, { getTopic: async () => ({}) });
  });
  // Throws errors as a transport does; the router itself would wrap them.
  const counted: Transport = {
    ...router,
    unary: async (method, signal, timeoutMs, header, input, contextValues) => {
      calls += 1;
      await answer();
      return router.unary(method, signal, timeoutMs, header, input, contextValues);
    },
  };
  peer = protectedPeers(() => counted, config, createLog("test", "silent"));
});

afterEach(() => void vi.useRealTimers());

const get = (name = "catalog", tenant?: Tenant) =>
  createClient(TopicService, peer(name))
    .getTopic({ id: "a" }, { contextValues: createTenantContext(tenant) })
    .then(() => "ok")
    .catch((error) => error);
const failing = (error: () => Error) => () => Promise.reject(error());

/** Calls until the circuit is open, and returns the error. */
async function openCircuit() {
  for (const untilMs = Date.now() + 5_000; Date.now() < untilMs; ) {
    const before = calls;
    const error = await get();
    if (calls === before) return error;
  }
  throw new Error("the circuit did not open");
}

test("opens when a service does not respond; other services are unaffected", async () => {
  answer = failing(unanswered);
  const refused = await openCircuit();
  expect(refused).toMatchObject({ code: Code.Unavailable, rawMessage: "Service unavailable" });
  expect(refused.metadata.get("retry-after")).toBe("1");
  answer = found;
  expect(await get("identity")).toBe("ok");
});

test("a burst of failures does not open it; failures over half a second do", async () => {
  stopClock();
  answer = failing(unanswered);
  for (let i = 1; i <= 20; i++) {
    await get();
    expect(calls).toBe(i);
  }
  vi.advanceTimersByTime(499);
  await get();
  await get();
  expect(calls).toBe(22);
  // Any response between the failures restarts the half second that they must span.
  answer = found;
  await get();
  answer = failing(unanswered);
  vi.advanceTimersByTime(1_000);
  for (let i = 0; i < 5; i++) await get();
  expect(calls).toBe(28);
  vi.advanceTimersByTime(500);
  await get();
  expect(calls).toBe(29);
  expect(await get()).toMatchObject({ code: Code.Unavailable });
  expect(calls).toBe(29);
});

test("half-open, one request at a time probes, and the first response closes it", async () => {
  answer = failing(unanswered);
  await openCircuit();
  const trying = Promise.withResolvers<object>();
  answer = () => trying.promise;
  const before = calls;
  // Either of two concurrent calls may be the probe of the half-open circuit.
  let both: Promise<unknown>[] = [];
  await expect
    .poll(async () => {
      both = [get(), get()];
      const first = await Promise.race(both);
      return calls > before && first;
    })
    .toMatchObject({ code: Code.Unavailable });
  expect(calls).toBe(before + 1);
  trying.resolve({});
  expect(await Promise.all(both)).toEqual(
    expect.arrayContaining(["ok", expect.objectContaining({ code: Code.Unavailable })]),
  );
  answer = found;
  expect(await get()).toBe("ok");
});

test("error responses do not open it", async () => {
  const until = Date.now() + 700;
  while (Date.now() < until) {
    for (const error of [() => notFound("Topic"), () => unavailable("The name servers are down")]) {
      answer = failing(error);
      expect((await get()).rawMessage).not.toBe("Service unavailable");
    }
  }
  answer = failing(unanswered);
  await Promise.all([get(), get(), get(), get()]);
  answer = found;
  // Simultaneous failures may be one crashed replica; the next call reaches another.
  expect(await get()).toBe("ok");
});

test("exceeded deadlines do not open it", async () => {
  answer = failing(deadlineExceeded);
  const until = Date.now() + 700;
  while (Date.now() < until) expect(await get()).toMatchObject({ code: Code.DeadlineExceeded });
  answer = found;
  expect(await get()).toBe("ok");
});

test("the bulkhead limits running requests per service, at most half of them for one application", async () => {
  const finish = Promise.withResolvers<object>();
  answer = () => finish.promise;
  const of = (applicationId: string, name = "catalog") => get(name, { applicationId, orgId: "o", userId: "" });
  const running = [of("a"), of("a")];
  const refused = await of("a");
  expect(refused).toMatchObject({
    code: Code.ResourceExhausted,
    rawMessage: "Too many requests of this application at once",
  });
  expect(refused.metadata.get("retry-after")).toBe("1");
  running.push(of("b"), of("c"));
  const full = await of("d");
  expect(full).toMatchObject({ code: Code.Unavailable, rawMessage: "Too many requests at once" });
  expect(full.metadata.get("retry-after")).toBe("1");
  // Calls without a tenant have their own bulkhead.
  running.push(get(), of("a", "identity"));
  finish.resolve({});
  expect(await Promise.all(running)).toEqual(running.map(() => "ok"));
  expect(await of("a")).toBe("ok");
});
