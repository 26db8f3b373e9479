export { startSettler } from "./settler.ts";
export { type ArrivalSource, Settling } from "./settling.ts";
