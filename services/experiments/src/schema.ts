import type { Schema } from "@ems/kit/db/schema";
import { outboxEntity } from "@ems/kit/events/outbox";
import { TraceEntity } from "./entities/trace.ts";
import { TraceStepEntity } from "./entities/trace-step.ts";
import { CreateOutbox1763720000000 } from "./migrations/1763720000000-create-outbox.ts";
import { CreateTraces1763726000000 } from "./migrations/1763726000000-create-traces.ts";

/** Experiments' part of the database. */
export const experimentsSchema: Schema = {
  name: "experiments",
  entities: [TraceEntity, TraceStepEntity, outboxEntity("experiments")],
  migrations: [CreateOutbox1763720000000, CreateTraces1763726000000],
};
