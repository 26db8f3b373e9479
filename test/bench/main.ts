// `npm run bench`: the product in one process and as a mesh beside a bare Fastify + pg server that runs the same SQL with
// no authentication, no rules and no RPC. All on one PostgreSQL, in turn, several rounds; what is printed are medians.

import { rm } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { startEmbeddedPostgres, throwAwayDir } from "@ems/kit/db/embedded/index";
import { measure, type Request } from "./measure.ts";
import { printComparison } from "./report.ts";
import { type Side, startBareSide, startProductSide } from "./sides.ts";

const { values } = parseArgs({
  options: {
    seconds: { type: "string", default: "4" },
    rounds: { type: "string", default: "3" },
    connections: { type: "string", default: "32" },
  },
});
const options = {
  seconds: Number(values.seconds),
  rounds: Number(values.rounds),
  connections: Number(values.connections),
};

const workloads: readonly { name: string; request: (side: Side) => Request }[] = [
  { name: "GET /v0/topics/{id}", request: ({ topicId }) => ({ method: "GET", path: `/v0/topics/${topicId}` }) },
  { name: "POST /v0/topics", request: () => ({ method: "POST", path: "/v0/topics", body: '{"title":"Benchmark"}' }) },
];

const directory = await throwAwayDir("ems-bench-");
const postgres = await startEmbeddedPostgres({ dataDir: join(directory, "postgres") });
const sides: Side[] = [];
try {
  const one = await startProductSide("(a) one process", "one", postgres.url, join(directory, "product"));
  sides.push(one);
  sides.push(await startProductSide("(b) mesh", "mesh", postgres.url, join(directory, "product")));
  sides.push(await startBareSide("(c) bare Fastify + pg", one, "same"));
  sides.push(await startBareSide("(d) bare, one statement", one, "plain"));

  console.log(
    `${options.connections} connections; ${options.rounds} rounds of ${options.seconds} s a side, in turn; medians.`,
  );
  for (const { name, request } of workloads) {
    const results = await measure(sides, request, postgres.pid, options);
    printComparison(name, results);
  }
} finally {
  for (const side of sides.reverse()) await side.stop();
  await postgres.stop();
  await rm(directory, { recursive: true, force: true });
}
process.exit(0);
