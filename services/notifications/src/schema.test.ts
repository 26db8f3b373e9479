import { testSchema } from "@ems/test-support";
import { notificationsHarness } from "../test/harness.ts";
import { notificationsSchema } from "./schema.ts";

const { database } = await notificationsHarness();

testSchema(notificationsSchema, database, "../schema.txt");
