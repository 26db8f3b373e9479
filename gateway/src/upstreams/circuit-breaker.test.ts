// A breaker before each service: what opens it, what does not, and how it closes again.

import { createClient, createRouterTransport, type Transport } from "@connectrpc/connect";
import { Code, deadlineExceeded, notFound, unanswered, unavailable } from "@ems/kit/errors";
import { createLog } from "@ems/kit/log";
import { onBehalfOf } from "@ems/kit/rpc/call";
import type { Tenant } from "@ems/kit/tenant";
import { TopicService } from "@ems/proto/catalog/v1/topic_service";
import { beforeEach, expect, test } from "vitest";
import { protectedPeers } from "./circuit-breaker.ts";

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
  // What a transport throws: the router's own would make another error of it.
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

const get = (name = "catalog", tenant?: Tenant) =>
  createClient(TopicService, peer(name))
    .getTopic({ id: "a" }, { contextValues: onBehalfOf(tenant) })
    .then(() => "ok")
    .catch((error) => error);
const failing = (error: () => Error) => () => Promise.reject(error());

/** Calls until one is not passed on any more; answers what that one was told. */
async function broken() {
  for (const untilMs = Date.now() + 5_000; Date.now() < untilMs; ) {
    const before = calls;
    const told = await get();
    if (calls === before) return told;
  }
  throw new Error("the breaker did not open");
}

test("when nobody answers, requests of that service are refused at once, others go on", async () => {
  answer = failing(unanswered);
  const refused = await broken();
  expect(refused).toMatchObject({ code: Code.Unavailable, rawMessage: "Service unavailable" });
  expect(refused.metadata.get("retry-after")).toBe("1");
  answer = found;
  expect(await get("identity")).toBe("ok");
});

test("one request at a time tries again, and the first answer closes the breaker", async () => {
  answer = failing(unanswered);
  await broken();
  const trying = Promise.withResolvers<object>();
  answer = () => trying.promise;
  const before = calls;
  let probe: Promise<unknown> | undefined;
  await expect
    .poll(async () => {
      probe ??= get();
      const other = await Promise.race([probe, get()]);
      if (calls === before) probe = undefined;
      return calls > before && other;
    })
    .toMatchObject({ code: Code.Unavailable });
  expect(calls).toBe(before + 1);
  trying.resolve({});
  expect(await probe).toBe("ok");
  answer = found;
  expect(await get()).toBe("ok");
});

test("answers do not open it, whatever they say", async () => {
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
  // The calls of one moment died with one process; the next one is answered by another.
  expect(await get()).toBe("ok");
});

test("an answer that is late says nothing of its service: what one tenant asks for may be long", async () => {
  answer = failing(deadlineExceeded);
  const until = Date.now() + 700;
  while (Date.now() < until) expect(await get()).toMatchObject({ code: Code.DeadlineExceeded });
  answer = found;
  expect(await get()).toBe("ok");
});

test("one service holds only so many requests at work, half of them of one application, and others beside them", async () => {
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
  // Authentication is on nobody's behalf.
  running.push(get(), of("a", "identity"));
  finish.resolve({});
  expect(await Promise.all(running)).toEqual(running.map(() => "ok"));
  expect(await of("a")).toBe("ok");
});
