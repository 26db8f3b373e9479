import { idempotencyEntity } from "@ems/kit/db/idempotency";
import type { Schema } from "@ems/kit/db/schema";
import { outboxEntity } from "@ems/kit/events/outbox";
import { CreateOutbox1763720000000 } from "./migrations/1763720000000-create-outbox.ts";
import { CreateIdempotency1763727000000 } from "./migrations/1763727000000-create-idempotency.ts";

/** Experiments' part of the database. */
export const experimentsSchema: Schema = {
  name: "experiments",
  entities: [outboxEntity("experiments"), idempotencyEntity("experiments")],
  migrations: [CreateOutbox1763720000000, CreateIdempotency1763727000000],
};
