import { testSchema } from "@ems/test-support";
import { catalogHarness } from "../test/harness.ts";
import { catalogSchema } from "./schema.ts";

const { database } = await catalogHarness();

testSchema(catalogSchema, database, "../schema.txt");
