export type { DueTrace } from "./due-traces.ts";
export { deadline, endSettling } from "./settle-traces.ts";
export { startSettler } from "./settler.ts";
export { SettlingQueue } from "./settling-queue.ts";
