// Which traces are of which tests, for the resources that have the tests.

export { latestTraceIds, type TraceOfTest, tracesOfTests } from "./latest-traces.ts";
export { metadataOfTrace, nameTestOfTrace } from "./live-traces.ts";
export { testsOfTraces } from "./tests-of-traces.ts";
export { settlingTests, traceIdsOfTests } from "./traces-in-transaction.ts";
export { usageOfTests } from "./usage-of-tests.ts";
