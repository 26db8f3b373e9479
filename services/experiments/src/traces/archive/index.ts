export { archivedTraces } from "./archived-traces.ts";
