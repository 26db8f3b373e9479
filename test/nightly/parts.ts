// Parts of `npm run nightly`: everything that the gate leaves out, and the gate's random tests with more cases.

export interface Part {
  readonly name: string;
  /** Short description for the report. */
  readonly what: string;
  /** Arguments of `npm`. */
  readonly command: readonly string[];
  /** Defaults that the caller's environment may override. */
  readonly env?: Readonly<Record<string, string>>;
}

const tests = (...args: string[]) => ["test", "--", ...args];

export const parts: readonly Part[] = [
  {
    name: "suites",
    what: "every `*.nightly.test.ts`: faults, clock jumps, attacks of minutes, containers, a cluster, failover, guides",
    command: tests("--project", "nightly"),
    env: { GUIDES: "all", ORACLE_ZONES: "24" },
  },
  {
    name: "mesh",
    what: "the whole API suite, and REST beside gRPC, in the mesh",
    command: tests("--project", "nightly-mesh"),
  },
  {
    name: "equivalence",
    what: "random requests by REST and gRPC to one process",
    command: tests("--project", "products", "test/grpc/equivalence"),
    env: { EQUIVALENCE_RUNS: "15" },
  },
  {
    name: "equivalence-mesh",
    what: "random requests by REST and gRPC to the mesh",
    command: tests("--project", "products", "test/grpc/equivalence"),
    env: { EQUIVALENCE_RUNS: "4", EQUIVALENCE_SHAPE: "mesh" },
  },
  {
    name: "console",
    what: "every page of the console in each color scheme and width, with errors and late answers",
    command: tests("--project", "products", "test/console/pages"),
    env: { CONSOLE_PAGES: "all" },
  },
  {
    name: "cases",
    what: "every mistake in values of the chart, permission of NATS and lost service, pages as a viewer and with hostile texts",
    command: tests(
      "--project",
      "products",
      "test/helm",
      "test/house/nats",
      "test/faults/lost",
      "test/console/members",
      "test/console/hostile",
    ),
    env: { CASES: "all" },
  },
  {
    name: "reference",
    what: "random valid and invalid requests made from the API reference",
    command: tests("--project", "products", "test/client-reference"),
    env: { REFERENCE_RUNS: "15" },
  },
  {
    name: "round-trip",
    what: "JSON of every public message, read and written",
    command: tests("--project", "unit", "services/kit/src/json"),
    env: { ROUND_TRIP_RUNS: "100" },
  },
  {
    name: "oracle",
    what: "reports of every time zone against the reference implementation",
    command: tests("--project", "unit", "test/oracle"),
    env: { ORACLE_ZONES: "10000", ORACLE_REPORTS: "13" },
  },
  {
    name: "loop",
    what: "runs of 500 tests in one process and in the mesh",
    command: tests("--project", "products", "--project", "nightly", "test/loop"),
    env: { LOOP_TESTS: "250" },
  },
  {
    name: "simulation",
    what: "error rates and coverage of comparisons, calibrations and regressions",
    command: ["run", "simulate", "--", "--seed", "1", "--experiments", "20000"],
  },
  { name: "mutants", what: "mutations of the code that no test may survive", command: ["run", "mutants"] },
  { name: "screenshots", what: "pictures of every page of the console", command: ["run", "screenshots"] },
];
