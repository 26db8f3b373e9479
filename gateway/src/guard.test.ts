// A breaker before each service: what opens it, what does not, and how it closes again.

import { createClient, createRouterTransport, type Transport } from "@connectrpc/connect";
import { Code, deadlineExceeded, noAnswer, notFound, unavailable } from "@ems/kit/errors";
import { createLog } from "@ems/kit/log";
import { TopicService } from "@ems/proto/catalog/v1/topic_service";
import { ReportingService } from "@ems/proto/reporting/v1/reporting_service";
import { beforeEach, expect, test } from "vitest";
import { guardedPeers } from "./guard.ts";

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
      return method.parent === TopicService
        ? router.unary(method, signal, timeoutMs, header, input, contextValues)
        : Promise.reject(notFound("Report"));
    },
  };
  peer = guardedPeers(() => counted, config, createLog("test", "silent"));
});

const get = (name = "catalog") =>
  createClient(TopicService, peer(name))
    .getTopic({ id: "a" })
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

test.each([
  ["nobody answers", noAnswer],
  ["no answer comes in time", deadlineExceeded],
])("when %s, requests of that service are refused at once, others go on", async (_name, error) => {
  answer = failing(error);
  const refused = await broken();
  expect(refused).toMatchObject({ code: Code.Unavailable, rawMessage: "Service unavailable" });
  expect(refused.metadata.get("retry-after")).toBe("1");
  answer = found;
  expect(await get("identity")).toBe("ok");
});

test("one request at a time tries again, and the first answer closes the breaker", async () => {
  answer = failing(noAnswer);
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
  answer = failing(noAnswer);
  await Promise.all([get(), get(), get(), get()]);
  answer = found;
  // The calls of one moment died with one process; the next one is answered by another.
  expect(await get()).toBe("ok");
});

test("a report that is late says nothing of its service", async () => {
  answer = failing(deadlineExceeded);
  const reports = createClient(ReportingService, peer("reporting"));
  const until = Date.now() + 700;
  while (Date.now() < until) {
    await expect(reports.queryReport({})).rejects.toMatchObject({ code: Code.DeadlineExceeded });
  }
});

test("one service holds only so many requests at work", async () => {
  const finish = Promise.withResolvers<object>();
  answer = () => finish.promise;
  const running = [1, 2, 3, 4].map(() => get());
  expect(await get()).toMatchObject({ code: Code.Unavailable, rawMessage: "Too many requests at once" });
  const other = get("identity");
  finish.resolve({});
  expect(await Promise.all([...running, other])).toEqual(["ok", "ok", "ok", "ok", "ok"]);
});
