export { eraseTraces } from "./erase-traces.ts";
export { listErasedSteps } from "./list-erased-steps.ts";
export { prepareErasure } from "./prepare-erasure.ts";
export { selectTraces } from "./select-traces.ts";
