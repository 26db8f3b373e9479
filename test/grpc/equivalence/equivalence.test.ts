// Every RPC with a REST route has the same effect over gRPC: two tenants that begin alike get the same requests, one
// over REST, the other over gRPC. The file has its own product, so that no other test changes its state.

import { setTimeout } from "node:timers/promises";
import type { DescMethodUnary } from "@bufbuild/protobuf";
import { createGrpcTransport } from "@connectrpc/connect-node";
import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { Ids } from "../../client-reference/ids.ts";
import { invalidBodies } from "../../client-reference/invalid.ts";
import { getOperations, type Operation } from "../../client-reference/operations.ts";
import { buildRequest, type Request } from "../../client-reference/requests.ts";
import { openContract } from "../../harness/contract.ts";
import { startTestProduct } from "../../harness/shape.ts";
import { asFarAsListed, byGrpc, byRest, type Outcome } from "./ports.ts";
import { getPair, rpcs } from "./rpcs.ts";
import { TenantPair } from "./tenant-pair.ts";

const seed = Number(process.env.EQUIVALENCE_SEED ?? 15);
const numRuns = Number(process.env.EQUIVALENCE_RUNS ?? 2);
const options = { seed, numRuns, includeErrorInReport: true, endOnFailure: true };

const { facts, remove } = await startTestProduct(process.env.EQUIVALENCE_SHAPE === "mesh" ? "mesh" : "one");
afterAll(remove);
const { baseUrl, grpcUrl } = facts;
const transport = createGrpcTransport({ baseUrl: grpcUrl });
const { document } = await openContract(baseUrl);
const tenants = await TenantPair.create(facts);
// The time of a key's last use is written in the background.
const readKeys = async ({ api }: TenantPair["first"]) =>
  JSON.parse(
    JSON.stringify((await api.get("/v0/api-keys")).body, (key, value) => (key === "lastUsedAt" ? null : value)),
  );
const ownKeys = await readKeys(tenants.first);
tenants.expectSame(ownKeys, await readKeys(tenants.second));
const ids = new Ids(ownKeys.data.map(({ id }: { id: string }) => id));

// Creations run first, so that later requests name existing resources; deletions run last.
const rank = ({ method }: Operation) => ["POST", "PUT", "PATCH", "GET", "DELETE"].indexOf(method);
const operations = getOperations(document)
  // Exported rows are texts with ids and times, which differ between the two tenants.
  .filter(({ name }) => rpcs.has(name) && !name.startsWith("GET /v0/transfer/"))
  .sort((a, b) => a.path.split("/").length - b.path.split("/").length || rank(a) - rank(b));
const named = operations.map((operation) => [operation.name, operation] as const);

const isRead = ({ method, path }: Operation) => method === "GET" || path.startsWith("/v0/reporting/");

/**
 * Fields that may differ: tests end in the background, so the answer to a change has the measures of that moment and
 * cannot be requested twice. A trial includes the duration of its model call.
 */
const measures = new Set([
  ...["monitoring", "synthetic", "breakdown", "monitoringPassRate", "passRate", "lastTest"],
  ...["durationMs", "calibration"],
]);
function withoutMeasures({ body, ...outcome }: Outcome): Outcome {
  const text = JSON.stringify(body, (key, value) => (measures.has(key) ? undefined : value));
  return { ...outcome, body: text === undefined ? undefined : JSON.parse(text) };
}

const getRpc = ({ name }: Operation): DescMethodUnary => {
  const method = rpcs.get(name);
  if (method === undefined) throw new Error(`${name} has no RPC`);
  return method;
};

/** Waits for erasures to end: a new request for a user returns the erasure that is still running. */
async function waitForErasures(): Promise<void> {
  for (const { api } of [tenants.first, tenants.second]) {
    const running = async () => (await api.get("/v0/erasures")).body.data.filter(isRunning);
    await expect.poll(running).toEqual([]);
  }
}
const isRunning = ({ status }: { status: string }) => status === "RUNNING";

/** Sends a request through both ports, and compares the answers. */
async function isSame(operation: Operation, generated: Request): Promise<void> {
  if (operation.name === "POST /v0/erasures") await waitForErasures();
  const method = getRpc(operation);
  const pair = getPair(operation, method, generated);
  const message = getPair(operation, method, tenants.translated(generated))?.message;
  if (pair === undefined || message === undefined) throw new Error("protobuf cannot say it");
  const both = async () => {
    return Promise.all([
      byRest(tenants.first, operation, pair.request),
      byGrpc(transport, tenants.second, method, message, generated.headers),
    ]);
  };
  let [first, second] = await both();
  // Background work, such as deliveries and search, needs time.
  for (let left = 50; left > 0 && isRead(operation) && first.isSuccess && second.isSuccess; left--) {
    if (tenants.areSame(first, second)) break;
    await setTimeout(100);
    [first, second] = await both();
  }
  const isAskedOnce = !isRead(operation) && /^\/v0\/(tasks|topics|definitions)/.test(operation.path);
  if (isAskedOnce) tenants.expectSame(withoutMeasures(first), withoutMeasures(second));
  else tenants.expectSame(asFarAsListed(first, second), second);
  if (first.isSuccess) ids.learn(operation.path, first.body);
}

const isExpressible = (operation: Operation) => (request: Request) =>
  getPair(operation, getRpc(operation), request) !== undefined;

test("all operations but those of bytes are compared; bytes.test.ts has those", () => {
  const unserved = getOperations(document).filter(({ name }) => !rpcs.has(name));
  const isOfBytes = ({ path }: Operation) => /^(\/v0\/otel|\/v1|\/api\/public)\/|\/attachments\/|\/export$/.test(path);
  expect(unserved.filter((operation) => !isOfBytes(operation))).toEqual([]);
  expect(operations.length).toBeGreaterThan(80);
});

test.each(named)("%s: valid requests", async (_name, operation) => {
  const requests = fc
    .constant(0)
    .chain(() => buildRequest({ document, ids, path: operation.path }, operation))
    .filter(isExpressible(operation));
  await fc.assert(
    fc.asyncProperty(requests, (request) => isSame(operation, request)),
    options,
  );
});

// Over REST, ingestion refuses only the invalid event (for example, a list in place of a number); protobuf cannot
// express such an event.
const withBody = named.filter(([name, { body }]) => body !== undefined && name !== "POST /v0/ingest");

test.each(withBody)("%s: requests that break a rule", async (_name, operation) => {
  const invalid = buildRequest({ document, ids, path: operation.path }, operation)
    .filter(({ body }) => body !== undefined)
    .chain((request) => invalidBodies({ ...request, headers: {} }))
    .map(({ request }) => request)
    .filter(isExpressible(operation));
  await fc.assert(
    fc.asyncProperty(invalid, (request) => isSame(operation, request)),
    options,
  );
});

const withParameters = named.filter(([, { parameters }]) => parameters.some(({ in: place }) => place !== "header"));
const strange = [
  "\0",
  "-1",
  "0",
  "101",
  "9007199254740993",
  "1e400",
  "nobody",
  "x".repeat(2_000),
  "2026-02-30T00:00:00Z",
];

test.each(withParameters)("%s: parameters that break a rule", async (_name, operation) => {
  const names = operation.parameters.filter(({ in: place }) => place !== "header");
  const invalid = buildRequest({ document, ids, path: operation.path }, operation)
    .chain((request) =>
      fc
        .record({ parameter: fc.constantFrom(...names), value: fc.constantFrom(...strange) })
        .map(({ parameter, value }) => {
          const { in: place, name } = parameter;
          return { ...request, headers: {}, [place]: { ...request[place as "query"], [name]: value } };
        }),
    )
    .filter(isExpressible(operation));
  await fc.assert(
    fc.asyncProperty(invalid, (request) => isSame(operation, request)),
    options,
  );
});
