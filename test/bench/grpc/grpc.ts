// The same calls over REST and gRPC, in one run.

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { create } from "@bufbuild/protobuf";
import {
  CreateTopicRequestSchema,
  GetTopicRequestSchema,
  ListTopicsRequestSchema,
  TopicService,
} from "@ems/proto/catalog/v1/topic_service";
import { callerToken } from "../../harness/caller-token.ts";
import { startGround } from "../ground.ts";
import type { Request } from "../measure.ts";
import { openLoop } from "../open-loop.ts";
import type { Figure } from "../page.ts";
import type { Bench, Part } from "../part.ts";
import { cpuUs, getFamily, untilIdle } from "../processes.ts";
import { type ProductSide, startProductSide } from "../sides.ts";
import { median, percentile } from "../statistics.ts";
import { measureBare } from "./bare.ts";
import { type Client, grpcJsClient, type Headers, type Rpc } from "./clients.ts";
import { alternating, closedLoop } from "./closed-loop.ts";
import { grpcClient, restClient } from "./lean-clients.ts";

/** Concurrent calls while searching for the highest rate. */
const inFlight = 32;

export const grpc: Part = {
  title: "gRPC and REST",
  note: `Read, list (25) and write of topics by REST, by gRPC through the entrance and, in the mesh, by gRPC directly at the service. Each
by a client of bare sockets, so that its own cost hides nothing (HTTP/1.1 with up to 64 connections, HTTP/2 with one); grpc-js is a
library that users have. Alone: one call in flight, the clients by turns. ${inFlight} in flight: as many calls as that allows. Under
load: at a fixed rate, half of what REST does at most, from the moment at which a call is due, which a timer meets within a millisecond.
CPU is that of all processes of the product and of PostgreSQL under that load. A p50 of at most 0.7 times REST's is a ratio of 1.43, of
at most 0.6 times one of 1.67. Bare: a constant answer of node:http2 compared with one of Fastify: what the protocols cost without the product.`,
  measure: measureGrpc,
};

const aims: Readonly<Record<string, string>> = { entrance: "≥ 1.43", direct: "≥ 1.67" };
const warmUpCalls = 4_000;
const listed = 25;

interface Operation {
  readonly name: string;
  readonly request: Request;
  readonly rpc: Rpc;
}

function getOperations({ topicId }: ProductSide): Operation[] {
  const { getTopic, listTopics, createTopic } = TopicService.method;
  return [
    {
      name: "read",
      request: { method: "GET", path: `/v0/topics/${topicId}` },
      rpc: { method: getTopic, message: create(GetTopicRequestSchema, { id: topicId }) },
    },
    {
      name: "list",
      request: { method: "GET", path: `/v0/topics?limit=${listed}` },
      rpc: { method: listTopics, message: create(ListTopicsRequestSchema, { limit: listed }) },
    },
    {
      name: "write",
      request: { method: "POST", path: "/v0/topics", body: '{"title":"Benchmark"}' },
      rpc: { method: createTopic, message: create(CreateTopicRequestSchema, { title: "Benchmark" }) },
    },
  ];
}

async function measureGrpc({ versions: [version], options }: Bench): Promise<Figure[]> {
  if (version === undefined) throw new Error("there is no version to measure");
  const { seconds = 2, rounds = 3 } = options;
  const figures = await measureBare(seconds, inFlight);
  for (const shape of options.shapes) {
    await using stack = new AsyncDisposableStack();
    const side = await startProductSide(shape, await startGround(version, stack), stack);
    const direct = shape === "mesh" ? await directly(side) : undefined;
    const { baseUrl, headers } = side;
    const address = new URL(side.product.facts.grpcUrl).host;
    const metadata = grpcHeaders(headers);
    for (const { name, request, rpc } of getOperations(side)) {
      const clients = [
        restClient("REST", baseUrl, request, headers),
        grpcClient("entrance", address, rpc, () => metadata),
        ...(direct ? [grpcClient("direct", direct.address, rpc, direct.headers)] : []),
        grpcJsClient("grpc-js", address, rpc, metadata),
      ];
      try {
        const results = await measureInTurn(side, clients, { seconds, rounds });
        figures.push(...getFigures(`${name}, ${shape === "one" ? "one process" : "mesh"}`, results));
      } finally {
        for (const client of clients) client.close();
      }
    }
  }
  return figures;
}

/** Removes the header that only HTTP bodies need. */
function grpcHeaders({ "content-type": _, ...headers }: Readonly<Record<string, string>>) {
  return headers;
}

/** Calls catalog's own port with a token like the gateway's, renewed before it expires. */
async function directly({ product, tenant }: ProductSide) {
  const { dataDir } = product.facts;
  const { rpcPrivateKeys } = JSON.parse(await readFile(join(dataDir, "secrets.json"), "utf8"));
  const processes: { name: string; address: string }[] = JSON.parse(await readFile(join(dataDir, "mesh.json"), "utf8"));
  const address = processes.find(({ name }) => name === "catalog")?.address;
  if (address === undefined) throw new Error("the mesh has no catalog");
  const claims = {
    iss: "gateway",
    aud: "catalog",
    org_id: tenant.orgId,
    application_id: tenant.applicationId,
    user_id: "bench",
  };
  const made = (): Headers => callerToken(rpcPrivateKeys.gateway, claims);
  let [token, madeMs] = [made(), performance.now()];
  const headers = () => {
    if (performance.now() - madeMs > 60_000) {
      [token, madeMs] = [made(), performance.now()];
    }
    return token;
  };
  return { address, headers };
}

/** Times in microseconds. */
interface Times {
  readonly p50: number;
  readonly p99: number;
}

interface Round {
  readonly alone: Times;
  readonly together: Times;
  readonly loaded: Times;
  readonly cpuUs: number;
}

interface Results {
  readonly perSecond: number;
  readonly byClient: ReadonlyMap<string, Round>;
}

/** Measures clients in turn, in opposite order every other round, so that drift affects all; returns medians. */
async function measureInTurn(
  side: ProductSide,
  clients: readonly Client[],
  { seconds, rounds }: { readonly seconds: number; readonly rounds: number },
): Promise<Results> {
  for (const { call } of clients) await closedLoop(call, { inFlight, calls: warmUpCalls });
  const [rest] = clients;
  if (rest === undefined) throw new Error("there is no client");
  const most = await closedLoop(rest.call, { inFlight, seconds });
  const perSecond = Math.max(1, Math.round(most.length / seconds / 2));
  const measured = new Map<string, Round[]>(clients.map(({ name }) => [name, []]));
  for (let at = 0; at < rounds; at++) {
    const alone = await alternating(clients, seconds);
    for (const { name, call } of at % 2 === 0 ? clients : clients.toReversed()) {
      await untilIdle([...side.pids, side.postgresPid]);
      const spent = () => cpuUs([...side.pids, ...getFamily(side.postgresPid)]);
      const together = await closedLoop(call, { inFlight, seconds });
      await untilIdle([...side.pids, side.postgresPid]);
      const before = spent();
      const times = await openLoop(perSecond, seconds, call);
      measured.get(name)?.push({
        alone: getTimes(alone.get(name) ?? []),
        together: getTimes(together),
        loaded: getTimes(times),
        cpuUs: (spent() - before) / times.length,
      });
    }
  }
  return { perSecond, byClient: new Map([...measured].map(([name, all]) => [name, medians(all)])) };
}

function getTimes(ms: readonly number[]): Times {
  return { p50: percentile(ms, 50) * 1_000, p99: percentile(ms, 99) * 1_000 };
}

function medians(rounds: readonly Round[]): Round {
  const times = (key: "alone" | "together" | "loaded"): Times => ({
    p50: median(rounds.map((round) => round[key].p50)),
    p99: median(rounds.map((round) => round[key].p99)),
  });
  return {
    alone: times("alone"),
    together: times("together"),
    loaded: times("loaded"),
    cpuUs: median(rounds.map((round) => round.cpuUs)),
  };
}

function getFigures(name: string, { perSecond, byClient }: Results): Figure[] {
  const kinds: { what: string; of: (round: Round) => number; hasAim?: boolean }[] = [
    { what: "alone, p50", of: ({ alone }) => alone.p50, hasAim: true },
    { what: "alone, p99", of: ({ alone }) => alone.p99 },
    { what: `${inFlight} in flight, p50`, of: ({ together }) => together.p50, hasAim: true },
    { what: `${perSecond}/s, p50`, of: ({ loaded }) => loaded.p50 },
    { what: `${perSecond}/s, p99`, of: ({ loaded }) => loaded.p99 },
    { what: "CPU a call", of: (round) => round.cpuUs },
  ];
  const rest = byClient.get("REST");
  if (rest === undefined) throw new Error("REST was not measured");
  return [...byClient]
    .filter(([client]) => client !== "REST")
    .flatMap(([client, round]) =>
      kinds.map(({ what, of, hasAim = false }): Figure => {
        const aim = hasAim ? aims[client] : undefined;
        return {
          what: `${name}, ${client}: ${what}`,
          unit: "µs",
          value: of(round),
          baseline: { what: "REST", value: of(rest) },
          ...(aim !== undefined && { aim }),
        };
      }),
    );
}
