export { eraseTraces } from "./erase-traces.ts";
export { prepareErasure } from "./prepare-erasure.ts";
