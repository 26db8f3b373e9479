import { defineConfig, type TestProjectInlineConfiguration } from "vitest/config";
import { LongestFirst } from "./harness/longest-first.ts";

const root = new URL("..", import.meta.url).pathname;

/** Options of all projects. Polls must outlast a lease or redelivery time of 30 s, even on a busy machine. */
const common = {
  root,
  pool: "forks" as const,
  hookTimeout: 120_000,
  expect: { poll: { timeout: 60_000, interval: 20 } },
  setupFiles: process.env.EACH_TWICE === "1" ? ["test/harness/each-twice.ts"] : [],
};

const project = (name: string, options: TestProjectInlineConfiguration["test"]): TestProjectInlineConfiguration => ({
  test: { ...common, name, ...options },
});
/** A second try for tests of processes and browsers, which a busy machine can delay. summary.ts reports retries. */
const retried = { retry: 1 };
/** More files at a time for tests that mostly wait, because products, browsers and servers start slowly. */
const starting = { maxWorkers: 5, sequence: { groupOrder: 2 } };
/** One file at a time, after the default group, for tests that run compilers and package managers. */
const building = { maxWorkers: 1, sequence: { groupOrder: 1 } };

const modules = "**/node_modules/**";
/** Tests that search for failures, install from Debian, PyPI or Go, or need minutes. `npm run nightly` runs them. */
const nightly = "**/*.nightly.test.ts";
/** Tests that need ClickHouse's engine, which is installed when it is needed. */
const archive = "**/*.clickhouse.test.ts";

/** Unit tests that start processes, browsers or package managers. The gate runs them after `npm test`. */
const heavyUnits = [
  "deploy/backup/**/*.test.ts",
  "deploy/dev/{child,up}.test.ts",
  "deploy/dev/schema/*.test.ts",
  "deploy/release/*.test.ts",
  "services/kit/src/events/nats/cluster.test.ts",
  "services/notifications/src/events/reconcile.test.ts",
  "test/harness/build-context.test.ts",
  "test/helm/**/*.test.ts",
  "test/house/nats-permissions.test.ts",
];
/** Tests of the largest differences between the mesh and one process: transport, caller checks, streams, events. */
const inMesh = [
  "test/api/{authentication,deliveries,exact-numbers,idempotency,input,isolation,trigger,watch}.test.ts",
  "test/mesh/witness.test.ts",
];
/** Slow tests of the gRPC port: one runs a compiler, others start a product with its own limits. */
const heavyGrpc = ["test/grpc/typescript.test.ts", "test/grpc/equivalence/{equivalence,limits}.test.ts"];
const prepared = "test/harness/prepared.ts";
const databases = ["test/harness/postgres.ts", "test/harness/nats.ts"];
const oneProcess = "test/harness/one-process.ts";
const clickhouse = "test/harness/clickhouse.ts";
/** The only tests in `npm test` that start their own products. */
const started = ["test/start/start.test.ts"];

export default defineConfig({
  test: {
    root,
    reporters: ["default", "./test/harness/summary.ts"],
    // Twice the number of cores, because test files often wait for starting processes and time limits.
    maxWorkers: 4,
    sequence: { sequencer: LongestFirst },
    projects: [
      // `npm test` runs unit, api, mesh and start. Without `isolate`, files share their worker's modules, which halves
      // the CPU time of loading them. Each test must therefore undo its changes to the process.
      project("unit", {
        include: [
          "{proto,services,gateway,deploy}/**/*.test.ts",
          "test/{bench,harness,house,mutants,nightly,oracle}/**/*.test.ts",
        ],
        exclude: [modules, nightly, archive, ...heavyUnits],
        globalSetup: databases,
        isolate: false,
        testTimeout: 120_000,
      }),
      project("api", {
        include: ["test/{api,clients}/**/*.test.ts", "test/grpc/{,equivalence/}*.test.ts"],
        exclude: [modules, nightly, ...heavyGrpc],
        globalSetup: oneProcess,
        isolate: false,
        testTimeout: 120_000,
      }),
      project("mesh", {
        include: inMesh,
        globalSetup: "test/harness/mesh.ts",
        isolate: false,
        testTimeout: 120_000,
        ...retried,
      }),
      project("start", {
        include: started,
        globalSetup: [prepared, "test/harness/nats.ts"],
        testTimeout: 300_000,
        ...retried,
      }),
      // The gate runs these after `npm test`: browsers, `ems`, and tests that start products. Files also share modules.
      project("products", {
        include: [
          ...heavyUnits,
          "test/{attacks,browser,cli,client-reference,console,events,faults,guides,loop,otel,start}/**/*.test.ts",
          ...heavyGrpc,
          "test/mesh/tls.test.ts",
        ],
        exclude: [modules, nightly, archive, ...started],
        globalSetup: [...databases, oneProcess],
        isolate: false,
        testTimeout: 300_000,
        hookTimeout: 300_000,
        ...starting,
        ...retried,
      }),
      project("archive", {
        include: [archive],
        exclude: [modules, nightly],
        globalSetup: [...databases, clickhouse],
        testTimeout: 900_000,
        ...starting,
        ...retried,
      }),
      // `npm run nightly` (test/nightly/parts.ts) runs these, and projects above with more and different random cases.
      project("nightly", {
        include: [nightly],
        exclude: [modules],
        globalSetup: [...databases, oneProcess, clickhouse],
        testTimeout: 900_000,
        hookTimeout: 1_800_000,
        ...building,
        ...retried,
      }),
      project("nightly-mesh", {
        include: ["test/{api,mesh}/**/*.test.ts", "test/grpc/{,equivalence/!(equivalence)}*.test.ts"],
        // Exclude a test that waits only for time limits of the gateway, which are the same in a mesh.
        exclude: [modules, nightly, "test/api/slow-clients.test.ts"],
        globalSetup: "test/harness/mesh.ts",
        isolate: false,
        testTimeout: 300_000,
        ...retried,
      }),
    ],
  },
});
