// Delivery worker of the benchmark in a process of its own.

import { systemClock } from "@ems/kit/clock";
import { serviceDataSource } from "@ems/kit/db/data-source";
import { Database } from "@ems/kit/db/database";
import { RelayDatabase } from "@ems/kit/db/relay-database";
import { publisher } from "@ems/kit/events/publish";
import { newId, secureRandom } from "@ems/kit/id";
import { createLog } from "@ems/kit/log";
import { notificationsConfig } from "@ems/notifications/config";
import { createWorker } from "@ems/notifications/deliveries";
import { notificationsSchema } from "@ems/notifications/schema";
import { secretBox } from "@ems/notifications/secret-box";

const config = notificationsConfig(process.env);
const log = createLog("worker", "warn");
const dataSource = serviceDataSource({ url: config.DATABASE_URL, poolMax: 2, schema: notificationsSchema, log });
await dataSource.initialize();
const relayDatabase = new RelayDatabase({
  schema: notificationsSchema,
  url: config.RELAY_DATABASE_URL,
  poolMax: config.RELAY_POOL_MAX,
  log,
});
const worker = createWorker(config, {
  relayDatabase,
  database: new Database(dataSource),
  publish: publisher("notifications", { clock: systemClock, newId }),
  secrets: secretBox(config.SEALING_KEYS, secureRandom),
  clock: systemClock,
  random: secureRandom,
  log,
});
worker.start();
process.send?.("ready");
process.on("disconnect", async () => {
  await worker.stop(0);
  process.exit(0);
});
