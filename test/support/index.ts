export { testCall, testTenant } from "./call.ts";
export { fixedClock } from "./clock.ts";
export { type TestDatabase, type TestPostgres, testDatabase } from "./database.ts";
export { type TestEventHandler, testEvent, testEventHandler } from "./events.ts";
export { type ServiceHarness, serviceHarness } from "./harness.ts";
export { capturedLog } from "./log.ts";
export { type TestNats, testNats } from "./nats.ts";
export { testKeys } from "./rpc-keys.ts";
export { tenancyFaults } from "./tenancy.ts";
