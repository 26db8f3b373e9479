// A steady load as from clients of a load balancer: each request goes to a gateway that is ready. Safe
// requests are repeated once if they get no answer; any other missing or unexpected answer is a failure.

import { setTimeout as delay } from "node:timers/promises";
import { newId } from "@ems/kit/id";

export interface Steady {
  /** Ids of topics whose creation was acknowledged. */
  readonly acknowledged: ReadonlySet<string>;
  /** Failed requests, one sentence each. */
  readonly failures: readonly string[];
  /** Number of answered requests, and of repeated ones. */
  counts(): { answered: number; retried: number };
  /** Waits for pending requests, and ends. */
  stop(): Promise<void>;
}

export interface SteadyOptions {
  readonly readyUrls: () => Promise<string[]>;
  readonly apiKey: string;
  readonly applicationId: string;
}

const clients = 4;
/** Pause between two requests of a lane: the load is steady rather than maximal. */
const pauseMs = 15;
/** Interval of the load balancer's readiness checks. */
const lookMs = 50;
/** Maximum number of requests per lane. */
const requestsMax = 20_000;

export async function startSteady({ readyUrls, apiKey, applicationId }: SteadyOptions): Promise<Steady> {
  const acknowledged = new Set<string>();
  const failures: string[] = [];
  let [isStopping, answered, retried, turn] = [false, 0, 0, 0];
  let targets = await readyUrls();
  const looking = (async () => {
    for (; !isStopping; await delay(lookMs)) {
      const ready = await readyUrls();
      // If none is ready in time, the last ready ones are called.
      if (ready.length > 0) targets = ready;
    }
  })();
  const own = { "x-api-key": apiKey, "x-application-id": applicationId, "content-type": "application/json" };

  const sendOnce = async (method: string, path: string, body?: string, headers?: Record<string, string>) => {
    const target = targets[turn++ % targets.length];
    const request = { method, headers: { ...own, ...headers }, signal: AbortSignal.timeout(15_000) };
    try {
      const answer = await fetch(`${target}${path}`, body === undefined ? request : { ...request, body });
      return { status: answer.status, text: await answer.text() };
    } catch (error) {
      return { status: 0, text: String(error instanceof Error ? (error.cause ?? error) : error) };
    }
  };
  /** Body of the answer; undefined if the request failed. */
  const send = async (method: string, path: string, body?: string, key?: string): Promise<string | undefined> => {
    const headers = key === undefined ? {} : { "idempotency-key": key };
    let answer = await sendOnce(method, path, body, headers);
    const isSafe = method === "GET" || key !== undefined;
    if (isSafe && (answer.status === 0 || answer.status === 503)) {
      retried += 1;
      answer = await sendOnce(method, path, body, headers);
    }
    answered += 1;
    await delay(pauseMs);
    if (answer.status >= 200 && answer.status < 300) return answer.text;
    failures.push(`${method} ${path}${isSafe ? "" : " (not safe)"}: ${answer.status} ${answer.text.slice(0, 200)}`);
    return undefined;
  };
  const create = async (key?: string) => {
    const text = await send("POST", "/v0/topics", JSON.stringify({ title: `Load ${newId()}` }), key);
    if (text === undefined) return;
    const { data } = JSON.parse(text) as { data: { id: string } };
    acknowledged.add(data.id);
    await send("GET", `/v0/topics/${data.id}`);
  };

  const client = async () => {
    while (!isStopping && answered < requestsMax) {
      await create();
      await create(newId());
      for (const path of ["/v0/topics", "/v0/experiments", "/v0/users", "/v0/webhook"]) await send("GET", path);
      const report = { datasource: "topic", timezone: "UTC", limit: 1 };
      await send("POST", "/v0/reporting/query", JSON.stringify(report));
    }
  };
  const running = Promise.all(Array.from({ length: clients }, client));
  running.catch(() => undefined);
  return {
    acknowledged,
    failures,
    counts: () => ({ answered, retried }),
    async stop() {
      isStopping = true;
      await running;
      await looking;
    },
  };
}
