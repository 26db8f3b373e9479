// Whose traces there are and how old they are, for erasures and for retention, which delete them.

export { deleteTraces } from "../traces/index.ts";
export { applicationsWithTraces, deleteOldestTraces } from "./old-traces.ts";
export {
  type CountedTrace,
  lockToDelete,
  oldestOfUser,
  storedAmong,
  testsToErase,
  tracesOfUser,
  type UserTrace,
} from "./user-traces.ts";
