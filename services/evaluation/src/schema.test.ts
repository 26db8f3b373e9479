import { testSchema } from "@ems/test-support";
import { evaluationHarness } from "../test/harness.ts";
import { evaluationSchema } from "./schema.ts";

const { database } = await evaluationHarness();

testSchema(evaluationSchema, database, "../schema.txt");
