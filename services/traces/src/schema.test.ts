import { testSchema } from "@ems/test-support";
import { tracesHarness } from "../test/harness.ts";
import { tracesSchema } from "./schema.ts";

const { database } = await tracesHarness();

testSchema(tracesSchema, database, "../schema.txt");
