export { eraseTraces } from "./erase-traces.ts";
export { listErasedSteps } from "./list-erased-steps.ts";
export { listTracesToErase } from "./list-traces-to-erase.ts";
export { prepareErasure } from "./prepare-erasure.ts";
