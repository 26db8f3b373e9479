// A tenant that sends a few requests of every kind at its own pace, regardless of the answers. Latency counts from the
// moment at which each request was due.

import { Agent } from "node:http";
import { type Counts, count, type NoisyTarget, type Sent, sent, until } from "../../harness/noisy/noise.ts";

export interface QuietResult {
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Number of unsuccessful answers by status. */
  readonly errors: Counts;
  readonly answers: Counts;
}

const connections = 16;
/** A slower answer counts as none. */
const patienceMs = 30_000;
const report = { datasource: "topic", timezone: "UTC", groupBy: [], measurements: [], limit: 10 };

export interface QuietTenant {
  /** Sends that many requests per second for that long. */
  run(perSecond: number, seconds: number): Promise<QuietResult>;
  close(): void;
}

export async function startQuiet(target: NoisyTarget): Promise<QuietTenant> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const mix = buildMix(await createTopic(target));
  return {
    async run(perSecond, seconds) {
      const times: number[] = [];
      const [answers, errors]: Counts[] = [{}, {}];
      const startMs = performance.now();
      const send = async (at: number) => {
        const dueMs = startMs + (at * 1_000) / perSecond;
        await until(dueMs);
        const request = mix[at % mix.length] ?? mix[0];
        if (request === undefined) return;
        const status = await sent(agent, target, request, dueMs + patienceMs);
        times.push(performance.now() - dueMs);
        count(answers ?? {}, status);
        if (!/^2/.test(status)) count(errors ?? {}, status);
      };
      await Promise.all(Array.from({ length: perSecond * seconds }, (_, at) => send(at)));
      times.sort((a, b) => a - b);
      const quantile = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0;
      return { p50Ms: quantile(0.5), p99Ms: quantile(0.99), errors: errors ?? {}, answers: answers ?? {} };
    },
    close: () => agent.destroy(),
  };
}

function buildMix(topicId: string): readonly Sent[] {
  return [
    { method: "GET", path: `/v0/topics/${topicId}` },
    { method: "POST", path: "/v0/topics", body: '{"title":"Opening hours"}' },
    { method: "GET", path: "/v0/tasks?limit=25" },
    { method: "GET", path: "/v0/webhook" },
    { method: "POST", path: "/v0/reporting/query", body: JSON.stringify(report) },
  ];
}

async function createTopic({ baseUrl, apiKey, applicationId }: NoisyTarget): Promise<string> {
  const headers = { "x-api-key": apiKey, "x-application-id": applicationId, "content-type": "application/json" };
  const answer = await fetch(`${baseUrl}/v0/topics`, { method: "POST", headers, body: '{"title":"Fees"}' });
  const { data } = (await answer.json()) as { data: { id: string } };
  return data.id;
}
