// Reads and writes, compared with a bare Fastify + pg server that runs the same SQL.

import type { Shape } from "../harness/product.ts";
import { startGround } from "./ground.ts";
import { measure, type Options, type Request, type Result } from "./measure.ts";
import type { Figure, Measurement } from "./page.ts";
import type { Bench, Part } from "./part.ts";
import { type Side, startBareSides, startProductSide } from "./sides.ts";

export const throughput: Part = {
  title: "Read and write",
  note: `\`GET /v0/topics/{id}\` and \`POST /v0/topics\`, as many as 32 connections can make. (c) is a bare Fastify + pg server that runs
the product's SQL: BEGIN, the tenant's scope, the statement, COMMIT; (d) runs the statement alone. CPU a request is that of all
processes of the product or of the bare server and of their PostgreSQL while requests last; with what follows: until they are
idle again (a write's event goes through the outbox and NATS).`,
  measure: measureThroughput,
};

const requests: { readonly name: string; readonly of: (side: Side) => Request }[] = [
  { name: "read", of: ({ topicId }) => ({ method: "GET", path: `/v0/topics/${topicId}` }) },
  { name: "write", of: () => ({ method: "POST", path: "/v0/topics", body: '{"title":"Benchmark"}' }) },
];

/** Minimum ratios of CPU time per request: to (c), to (d), and of PostgreSQL's share to that of (d). */
const aims: Readonly<Record<string, { same?: string; plain?: string; postgres?: string }>> = {
  "read, one process": { same: "≥ 0.95", plain: "≥ 0.65", postgres: "≥ 0.83" },
  "write, one process": { same: "≥ 0.85" },
  "read, mesh": { same: "≥ 0.5" },
  "write, mesh": { same: "≥ 0.5" },
};

const shapeNames: Readonly<Record<Shape, string>> = { one: "one process", mesh: "mesh" };

async function measureThroughput(bench: Bench): Promise<Figure[]> {
  await using stack = new AsyncDisposableStack();
  const { products, bare } = await startSides(bench, stack);
  const options: Options = {
    seconds: bench.options.seconds ?? 4,
    rounds: bench.options.rounds ?? 3,
    connections: bench.options.connections,
  };
  const figures: Figure[] = [];
  for (const { name, of } of requests) {
    // "plain" has no writes, since a write always needs a transaction.
    const bareSides = name === "read" ? [bare.same, bare.plain] : [bare.same];
    const results = await measure([...products.flatMap(({ sides }) => sides), ...bareSides], of, options);
    const [same, plain] = bareSides.map((side) => results.get(side));
    for (const { shape, sides } of products) {
      const [now = [], compared] = sides.map((side) =>
        measurements(`${name}, ${shapeNames[shape]}`, results.get(side), same, plain),
      );
      figures.push(...now.map((figure, at) => ({ ...figure, compared: compared?.[at] })));
    }
  }
  return figures;
}

/** Starts the product of each version in each shape, and the bare servers; each on a ground of its own. */
export async function startSides({ versions, options }: Bench, stack: AsyncDisposableStack) {
  const products: { shape: Shape; sides: Side[] }[] = [];
  for (const shape of options.shapes) {
    const sides: Side[] = [];
    for (const version of versions) {
      sides.push(await startProductSide(shape, await startGround(version, stack), stack));
    }
    products.push({ shape, sides });
  }
  const [version] = versions;
  if (version === undefined) throw new Error("there is no version to measure");
  return { products, bare: await startBareSides(await startGround(version, stack), stack) };
}

function measurements(name: string, result?: Result, same?: Result, plain?: Result): Measurement[] {
  if (result === undefined || same === undefined) return [];
  const aim = aims[name] ?? {};
  const cpu = (
    what: string,
    baseline: string,
    key: "cpuUs" | "postgresUs" | "untilIdleUs",
    of: Result,
    least?: string,
  ): Measurement => ({
    what: `${name}: ${what}`,
    unit: "µs",
    value: result[key],
    baseline: { what: baseline, value: of[key] },
    ...(least !== undefined && { aim: least }),
  });
  return [
    cpu("CPU a request", "(c)", "cpuUs", same, aim.same),
    ...(plain ? [cpu("CPU a request", "(d)", "cpuUs", plain, aim.plain)] : []),
    cpu("of it PostgreSQL", "(c)", "postgresUs", same),
    ...(plain ? [cpu("of it PostgreSQL", "(d)", "postgresUs", plain, aim.postgres)] : []),
    cpu("CPU with what follows", "(c)", "untilIdleUs", same),
    {
      what: `${name}: requests`,
      unit: "/s",
      value: result.perSecond,
      baseline: { what: "(c)", value: same.perSecond },
    },
  ];
}
