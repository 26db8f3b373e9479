import { defineConfig, type TestProjectInlineConfiguration } from "vitest/config";
import { LongestFirst } from "./harness/longest-first.ts";

const root = new URL("..", import.meta.url).pathname;

/** Shared by all projects. A poll must outlast a lease or a redelivery of 30 s, also on a busy machine. */
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
/** Processes and browsers can be delayed by a busy machine: they get a second try, which summary.ts reports. */
const retried = { retry: 1 };
/** Products, browsers and servers start slowly: more files wait. */
const starting = { maxWorkers: 5, sequence: { groupOrder: 2 } };
/** Compilers and package managers: fewer files at a time, after all others. */
const building = { maxWorkers: 1, sequence: { groupOrder: 1 } };

const modules = "**/node_modules/**";
/** Tests that search, install from Debian, PyPI or Go, or need minutes: `npm run nightly` runs them. */
const nightly = "**/*.nightly.test.ts";
/** Tests that need ClickHouse's engine, which is installed on demand. */
const archive = "**/*.clickhouse.test.ts";

/** Unit tests that start processes, browsers or package managers: the gate runs them after `npm test`. */
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
/** The largest differences between the mesh and one process: transport, caller checks, streams, events. */
const inMesh = [
  "test/api/{authentication,deliveries,idempotency,input,isolation,trigger,watch}.test.ts",
  "test/mesh/witness.test.ts",
];
/** The gRPC port: a compiler, and a product with limits of its own. */
const heavyGrpc = ["test/grpc/typescript.test.ts", "test/grpc/equivalence/{equivalence,limits}.test.ts"];
const prepared = "test/harness/prepared.ts";
const databases = ["test/harness/postgres.ts", "test/harness/nats.ts"];
const oneProcess = "test/harness/one-process.ts";
const clickhouse = "test/harness/clickhouse.ts";
/** The part of `npm test` that starts products of its own. */
const started = ["test/start/start.test.ts"];

export default defineConfig({
  test: {
    root,
    reporters: ["default", "./test/harness/summary.ts"],
    // Twice the cores: files wait much of their time, for processes that start and for time limits.
    maxWorkers: 4,
    sequence: { sequencer: LongestFirst },
    projects: [
      // `npm test`: unit, api, mesh and start. Without `isolate`, files share their worker's modules, which halves the CPU time
      // of loading them: a test undoes what it sets for its process.
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
      // The gate, after `npm test`: browsers, `ems`, and tests that start products of their own. Files share modules as above.
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
      // `npm run nightly` (test/nightly/parts.ts) runs these, and the projects above with more and other random cases.
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
        // It waits for time limits of the gateway alone.
        exclude: [modules, nightly, "test/api/slow-clients.test.ts"],
        globalSetup: "test/harness/mesh.ts",
        isolate: false,
        testTimeout: 300_000,
        ...retried,
      }),
    ],
  },
});
