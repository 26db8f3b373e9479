// What experiments reads of traces, by the views that traces publishes to it, and of the archive. Changes are calls to traces.

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
