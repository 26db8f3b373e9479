export { testCall, testTenant } from "./call.ts";
export { fixedClock } from "./clock.ts";
export { type TestDatabase, type TestPostgres, testDatabase } from "./database.ts";
export { capturedLog } from "./log.ts";
export { type Rig, serviceRig } from "./rig.ts";
export { tenancyFaults } from "./tenancy.ts";
