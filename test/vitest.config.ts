import { defineConfig, type TestProjectInlineConfiguration } from "vitest/config";
import { LongestFirst } from "./harness/longest-first.ts";

const root = new URL("..", import.meta.url).pathname;

/** For every project. A poll outlasts a lease or a redelivery of 30 s, also on a busy machine. */
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
/** Processes and browsers, which a busy machine holds up: a second try. summary.ts names who needed it. */
const retried = { retry: 1 };
/** It compares what one product answers at two ports: nothing else may change meanwhile what it says of itself. */
const compared = { sequence: { groupOrder: 1 } };
/** Compilers and package managers: fewer files at once, and after the others. */
const building = { maxWorkers: 2, sequence: { groupOrder: 2 } };

// A command's own settings win.
const settings = (prefix: string) =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => name.startsWith(prefix)));
const [oracle, equivalence] = [settings("ORACLE_"), settings("EQUIVALENCE_")];
/**
 * What takes long and is seldom broken by what is not its own: meshes that are started again and again (11 s of CPU each), runs of
 * `ems` and helm by the dozen, events that wait for a redelivery. The gate runs them.
 */
const slow = [
  "test/helm/{chart,examples,jobs,mistakes,processes,smoke}.test.ts",
  "test/helm/install/install.test.ts",
  "test/start/{backup,events,grpc-watch,image,pooled-product,refusals}.test.ts",
  "test/events/{example-consumer,misbehaving-receivers,prompts,secrets-and-slow-reports}.test.ts",
  "test/house/nats-permissions.test.ts",
  "services/kit/src/events/nats/cluster.test.ts",
  "services/notifications/src/events/reconcile.test.ts",
];
const slowAgainstOne = ["test/cli/operator.test.ts"];
/** What differs most between the mesh and one process: transport, checks of callers, streams, events. `api-mesh` has the rest. */
const inMesh = [
  "test/api/{authentication,deliveries,document-upload,idempotency,ingest,input,isolation,reporting,traces,trigger,watch}.test.ts",
  "test/mesh/{tls,witness}.test.ts",
  "test/grpc/!(hostile-values).test.ts",
];
/** They need ClickHouse's engine, which is installed on demand. */
const archive = "**/*.clickhouse.test.ts";
const prepared = "test/harness/prepared.ts";
const products = [prepared, "test/harness/nats.ts"];
const databases = ["test/harness/postgres.ts", "test/harness/nats.ts"];

export default defineConfig({
  test: {
    root,
    reporters: ["default", "./test/harness/summary.ts"],
    // More than two cores can run: files wait much of their time, for processes that start and for time limits.
    maxWorkers: 3,
    sequence: { sequencer: LongestFirst },
    // Without `isolate`, files share their worker's modules, which takes half the CPU time of loading them for each file: a test
    // undoes what it sets for its process.
    projects: [
      project("unit", {
        include: [
          "{proto,services,gateway,deploy}/**/*.test.ts",
          "test/{bench,harness,helm,house,oracle}/**/*.test.ts",
        ],
        exclude: ["**/node_modules/**", "test/helm/cluster/**", archive, ...slow],
        globalSetup: databases,
        isolate: false,
        testTimeout: 120_000,
      }),
      project("start", {
        include: ["test/start/**/*.test.ts"],
        exclude: slow,
        globalSetup: products,
        testTimeout: 300_000,
        ...retried,
      }),
      project("events", {
        include: ["test/events/*.test.ts"],
        exclude: slow,
        globalSetup: prepared,
        testTimeout: 300_000,
        ...retried,
      }),
      // The system from outside, in each shape of the product.
      project("one-process", {
        include: [
          "test/{api,browser,cli,clients}/**/*.test.ts",
          // The projects `equivalence` and `equivalence-mesh` make its random requests.
          "test/grpc/{,equivalence/!(equivalence)}*.test.ts",
          "test/otel/*.test.ts",
        ],
        exclude: slowAgainstOne,
        globalSetup: "test/harness/one-process.ts",
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
      // Small unless LOOP_TESTS says otherwise.
      project("loop", {
        include: ["test/loop/{changes,one-process}.test.ts"],
        globalSetup: prepared,
        testTimeout: 300_000,
        ...retried,
      }),
      // These take minutes: `npm test` leaves them out unless they are named (deploy/run.mjs); .ci/run runs them.
      project("api-mesh", {
        include: ["test/{api,mesh}/**/*.test.ts", "test/grpc/*.test.ts", "test/otel/*.test.ts"],
        // It waits for time limits of the gateway alone.
        exclude: ["test/api/slow-clients.test.ts", ...inMesh],
        globalSetup: "test/harness/mesh.ts",
        isolate: false,
        testTimeout: 120_000,
        ...retried,
      }),
      project("slow", {
        include: slow,
        globalSetup: databases,
        testTimeout: 300_000,
        ...retried,
      }),
      project("loop-mesh", {
        include: ["test/loop/{experiment,mesh}.test.ts"],
        globalSetup: products,
        testTimeout: 300_000,
        ...retried,
      }),
      project("faults", {
        include: ["test/faults/**/*.test.ts"],
        exclude: ["**/node_modules/**", archive],
        globalSetup: databases,
        testTimeout: 300_000,
        ...retried,
      }),
      project("archive", {
        include: [archive],
        exclude: ["**/node_modules/**"],
        globalSetup: [...databases, "test/harness/clickhouse.ts"],
        testTimeout: 900_000,
        env: { ORACLE_ZONES: "24", ...oracle },
        ...retried,
      }),
      project("oracle", {
        include: ["test/oracle/**/*.test.ts"],
        exclude: ["**/node_modules/**", archive],
        globalSetup: databases,
        testTimeout: 900_000,
        env: { ORACLE_ZONES: "10000", ORACLE_REPORTS: "13", ...oracle },
      }),
      // Requests made from the reference of the running product; and whatever else takes long against one process.
      project("reference", {
        include: ["test/client-reference/**/*.test.ts", ...slowAgainstOne],
        globalSetup: "test/harness/one-process.ts",
        testTimeout: 300_000,
        ...retried,
      }),
      // REST and gRPC beside each other, with requests made from the reference.
      project("equivalence", {
        include: ["test/grpc/equivalence/*.test.ts"],
        globalSetup: "test/harness/one-process.ts",
        testTimeout: 300_000,
        env: { EQUIVALENCE_RUNS: "15", ...equivalence },
        ...retried,
        ...compared,
      }),
      // The same in the mesh, with fewer requests: limits.test.ts has a product of its own.
      project("equivalence-mesh", {
        include: ["test/grpc/equivalence/{equivalence,bytes}.test.ts"],
        globalSetup: "test/harness/mesh.ts",
        testTimeout: 300_000,
        env: { EQUIVALENCE_RUNS: "4", ...equivalence },
        ...retried,
        ...compared,
      }),
      // They download modules of Go, Python, Java and Rust.
      project("examples", {
        include: ["test/{grpc,events}/examples/*.test.ts"],
        globalSetup: "test/harness/one-process.ts",
        testTimeout: 900_000,
        ...building,
      }),
      // Whoever follows a guide in a fresh clone, with npm; GUIDES=all follows what downloads packages as well.
      project("guides", {
        include: ["test/guides/*.test.ts"],
        testTimeout: 300_000,
      }),
      // They build an API server of Kubernetes from modules of Go.
      project("cluster", {
        include: ["test/helm/cluster/*.test.ts"],
        testTimeout: 300_000,
        hookTimeout: 1_800_000,
        ...building,
        // The first file builds the API server for the others.
        maxWorkers: 1,
      }),
      // They download Patroni, etcd and HAProxy.
      project("scaling", {
        include: ["test/scaling/*.test.ts"],
        globalSetup: databases,
        testTimeout: 300_000,
        hookTimeout: 300_000,
        fileParallelism: false,
      }),
      project("otel", {
        include: ["test/otel/*/**/*.test.ts"],
        globalSetup: prepared,
        testTimeout: 120_000,
        ...retried,
      }),
      project("console", {
        include: ["test/console/*.test.ts"],
        globalSetup: prepared,
        testTimeout: 300_000,
        hookTimeout: 300_000,
        ...retried,
      }),
      project("attacks", {
        include: ["test/attacks/**/*.test.ts"],
        globalSetup: prepared,
        testTimeout: 120_000,
        ...retried,
      }),
    ],
  },
});
