import { testSchema } from "@ems/test-support";
import { identityHarness } from "../test/harness.ts";
import { identitySchema } from "./schema.ts";

const { database } = await identityHarness();

testSchema(identitySchema, database, "../schema.txt");
