import type { Schema } from "@ems/kit/db/schema";
import { outboxEntity } from "@ems/kit/events/outbox";
import { CreateOutbox1763720000000 } from "./migrations/1763720000000-create-outbox.ts";

/** Experiments' part of the database. */
export const experimentsSchema: Schema = {
  name: "experiments",
  entities: [outboxEntity("experiments")],
  migrations: [CreateOutbox1763720000000],
};
