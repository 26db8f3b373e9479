// Writes that continue during faults: each is repeated under its idempotency key until it is acknowledged, as a careful
// client does.

import { setTimeout as delay } from "node:timers/promises";
import { newId } from "@ems/kit/id";

export interface Writer {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly applicationId: string;
}

export interface Load {
  /** Ids of topics whose creation was acknowledged. */
  readonly acknowledged: ReadonlySet<string>;
  /** Titles of writes that were refused permanently and must have no effect. */
  readonly refused: ReadonlySet<string>;
  /** Number of repeated writes. */
  repeats(): number;
  /** Waits for pending writes, and ends. */
  stop(): Promise<void>;
}

/** Maximum number of writes. */
const writesMax = 20_000;
/** Time for which a write is repeated before the test fails. */
const patienceMs = 60_000;

/** Creates topics from `lanes` concurrent clients until stopped; one in ten writes is invalid. */
export function startLoad({ baseUrl, apiKey, applicationId }: Writer, clients = 4): Load {
  const acknowledged = new Set<string>();
  const refused = new Set<string>();
  let [stopping, written, repeats] = [false, 0, 0];
  const headers = { "x-api-key": apiKey, "x-application-id": applicationId, "content-type": "application/json" };

  const write = async () => {
    const title = `Load ${newId()}`;
    const isWrong = ++written % 10 === 0;
    const body = JSON.stringify({ title, ...(isWrong && { status: "NO_SUCH_STATUS" }) });
    const key = newId();
    for (const untilMs = Date.now() + patienceMs; Date.now() < untilMs; repeats += 1) {
      const answer = await fetch(`${baseUrl}/v0/topics`, {
        method: "POST",
        headers: { ...headers, "idempotency-key": key },
        body,
        signal: AbortSignal.timeout(15_000),
      }).catch(() => undefined);
      if (answer?.status === 201) {
        const { data } = (await answer.json()) as { data: { id: string } };
        return void acknowledged.add(data.id);
      }
      await answer?.body?.cancel();
      if (answer?.status === 400 && isWrong) return void refused.add(title);
      await delay(50);
    }
    throw new Error("a write was not acknowledged in time");
  };

  const client = async () => {
    while (!stopping && written < writesMax) await write();
  };
  const running = Promise.all(Array.from({ length: clients }, client));
  // The failure is reported to the caller of `stop`.
  running.catch(() => undefined);
  return {
    acknowledged,
    refused,
    repeats: () => repeats,
    async stop() {
      stopping = true;
      await running;
    },
  };
}
