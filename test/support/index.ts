export { testCall, testTenant } from "./call.ts";
export { type ClickhouseBridge, startClickhouse, type TestClickhouse, testClickhouse } from "./clickhouse/index.ts";
export { fixedClock, stopClock } from "./clock.ts";
export { type TestDatabase, type TestPostgres, testDatabase } from "./database.ts";
export {
  jsonEvents,
  outboxEvents,
  type TestEvent,
  type TestEventHandler,
  testEvent,
  testEventHandler,
} from "./events.ts";
export { type ServiceHarness, serviceHarness } from "./harness.ts";
export { capturedLog } from "./log.ts";
export { type TestNats, testNats } from "./nats.ts";
export { ownerTransaction } from "./owner-transaction.ts";
export { placesOfText } from "./places-of-text.ts";
export { testKeys } from "./rpc-keys.ts";
export { entityDrift, testSchema } from "./schema-tests.ts";
export { tenancyFaults } from "./tenancy.ts";
