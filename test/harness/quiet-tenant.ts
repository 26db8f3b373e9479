// A tenant with few requests while another client attacks: its requests are answered, and fast.

import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { expect } from "vitest";
import type { QuietReader } from "./quiet-reader.ts";
import { framed, openSession, rawCall } from "./raw-grpc.ts";
import type { TestTenant } from "./tenant.ts";

/** Pauses between two requests of a quiet tenant. */
const pauseMs = 100;

const listTopics = "/ems.catalog.v1.TopicService/ListTopics";

/** Less than the time limit of a request: on a slow machine the tests of other files leave little CPU. */
const slowestUsuallyMs = 20_000;

/** Reads and writes as one quiet tenant for that long; each answer must be a success within `slowestMs`. */
export async function quietly({ api }: TestTenant, forMs: number, slowestMs = slowestUsuallyMs): Promise<void> {
  const untilMs = performance.now() + forMs;
  do {
    const startMs = performance.now();
    const answers = [await api.get("/v0/topics"), await api.post("/v0/topics", { title: "Opening hours" })];
    expect(answers.map(({ status, body }) => ({ status, message: body.message }))).toEqual([
      { status: 200 },
      { status: 201 },
    ]);
    expect(performance.now() - startMs).toBeLessThan(slowestMs);
    await delay(pauseMs);
  } while (performance.now() < untilMs);
}

/** Reads as one quiet tenant for that long, within its rate limit; returns a percentile of its latencies. */
export async function quietPercentileMs(tenant: QuietTenant, percentile: number, forMs: number): Promise<number> {
  const { baseUrl, apiKey, applicationId } = tenant;
  const headers = { "x-api-key": apiKey, "x-application-id": applicationId };
  const workerData: QuietReader = { url: `${baseUrl}/v0/topics`, headers, forMs };
  const [latencies] = await once(new Worker(new URL("./quiet-reader.ts", import.meta.url), { workerData }), "message");
  latencies.sort((a: number, b: number) => a - b);
  return latencies[Math.floor((latencies.length - 1) * (percentile / 100))];
}

type QuietTenant = Pick<TestTenant, "apiKey" | "applicationId"> & { readonly baseUrl: string };

/**
 * Attacks for eight seconds; meanwhile, a quiet tenant's p99 is at most three times its p99 before, plus 20 ms. Returns
 * the number of attacks.
 */
export async function expectQuietDuring(
  quiet: QuietTenant,
  attackOnce: (count: number) => Promise<unknown>,
): Promise<number> {
  const aloneMs = await quietPercentileMs(quiet, 99, 3_000);
  let isOver = false;
  let count = 0;
  const attack = (async () => {
    for (; !isOver; count++) await attackOnce(count);
  })();
  const attackedMs = await quietPercentileMs(quiet, 99, 8_000).finally(() => {
    isOver = true;
  });
  await attack;
  const { currentTestName } = expect.getState();
  const row = `| ${aloneMs.toFixed(1)} | ${attackedMs.toFixed(1)} | ${count} |`;
  console.log(`report: ${currentTestName}\n| p99 alone, ms | during | attacks |\n|--:|--:|--:|\n${row}\n`);
  expect(attackedMs).toBeLessThanOrEqual(3 * aloneMs + 20);
  return count;
}

/** Like `quietly`, over REST and one gRPC connection. */
export async function quietlyOnBoth(
  tenant: TestTenant,
  grpcUrl: string,
  forMs: number,
  slowestMs = slowestUsuallyMs,
): Promise<void> {
  const session = openSession(new URL(grpcUrl).host);
  let isOver = false;
  const overGrpc = async () => {
    while (!isOver) {
      const startMs = performance.now();
      const { stream, answer } = rawCall(session, listTopics, { "x-api-key": tenant.apiKey });
      stream.end(framed(Buffer.alloc(0)));
      const { status, message } = await answer;
      expect({ status, message }).toEqual({ status: 0, message: "" });
      expect(performance.now() - startMs).toBeLessThan(slowestMs);
      await delay(pauseMs);
    }
  };
  const overRest = quietly(tenant, forMs, slowestMs).finally(() => {
    isOver = true;
  });
  try {
    await Promise.all([overRest, overGrpc()]);
  } finally {
    session.destroy();
  }
}
