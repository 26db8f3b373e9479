// Reads traces through the views that the traces service publishes to experiments, and from the archive. Traces are
// changed only through the traces service's RPCs.

export { type ArchivedTrace, findTraces, missingTrace, requireTrace, type StoredTrace } from "./find-traces.ts";
export { incompleteTests } from "./incomplete-tests.ts";
export { latestTraceIds, type TraceOfTest, tracesOfTests } from "./latest-traces.ts";
export { testsOfTraces } from "./tests-of-traces.ts";
export { usageOfTests } from "./usage-of-tests.ts";
export {
  type FoundTrace,
  oldestOfUser,
  storedAmong,
  testsToErase,
  traceIdsOfTests,
  tracesOfUser,
} from "./user-traces.ts";
