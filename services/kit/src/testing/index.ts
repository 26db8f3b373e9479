export { fixedClock } from "./clock.ts";
export { type TestDatabase, testDatabase, type TestPostgres } from "./database.ts";
export { type Rig, serviceRig } from "./rig.ts";
export { tenancyFaults } from "./tenancy.ts";
export { testCall, testTenant } from "./call.ts";
