// Cost of HTTP/2 compared with HTTP/1.1: servers that only return a constant answer, read by the same clients.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { create } from "@bufbuild/protobuf";
import { GetTopicRequestSchema, TopicService } from "@ems/proto/catalog/v1/topic_service";
import type { Figure } from "../page.ts";
import { firstLine } from "../sides.ts";
import { percentile } from "../statistics.ts";
import type { Rpc } from "./clients.ts";
import { alternating, closedLoop } from "./closed-loop.ts";
import { grpcClient, restClient } from "./lean-clients.ts";

const rpc: Rpc = {
  method: TopicService.method.getTopic,
  message: create(GetTopicRequestSchema, { id: "01890000-0000-7000-8000-000000000001" }),
};

export async function measureBare(seconds: number, inFlight: number): Promise<Figure[]> {
  const child = spawn(process.execPath, [join(import.meta.dirname, "bare-servers.ts")], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(child, "close");
  const { rest, grpc } = JSON.parse(await firstLine(child));
  const clients = [
    restClient("Fastify", `http://${rest}`, { method: "GET", path: "/" }, {}),
    grpcClient("node:http2", grpc, rpc, () => ({})),
  ];
  try {
    for (const { call } of clients) await closedLoop(call, { inFlight, calls: 10_000 });
    const alone = await alternating(clients, seconds);
    const together = new Map<string, number[]>();
    for (const { name, call } of clients) together.set(name, await closedLoop(call, { inFlight, seconds }));
    return [alone, together].map((times, at) => {
      const p50 = (name: string) => percentile(times.get(name) ?? [], 50) * 1_000;
      return {
        what: `bare, node:http2: ${at === 0 ? "alone" : `${inFlight} in flight`}, p50`,
        unit: "µs",
        value: p50("node:http2"),
        baseline: { what: "Fastify", value: p50("Fastify") },
      };
    });
  } finally {
    for (const client of clients) client.close();
    child.kill("SIGTERM");
    await ended;
  }
}
