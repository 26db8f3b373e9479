import { testSchema } from "@ems/test-support";
import { reportingHarness } from "../test/harness.ts";
import { reportingSchema } from "./schema.ts";

const { database } = await reportingHarness();

testSchema(reportingSchema, database, "../schema.txt");
