import { idempotencyEntity } from "@ems/kit/db/idempotency";
import type { Schema } from "@ems/kit/db/schema";
import { binaryOutbox, createIdempotency, createOutbox, indexOutbox, ownRelay } from "@ems/kit/db/shared-migrations";
import { outboxEntity } from "@ems/kit/events/outbox";

/** Evaluation's part of the database. */
export const evaluationSchema: Schema = {
  name: "evaluation",
  entities: [outboxEntity("evaluation"), idempotencyEntity("evaluation")],
  migrations: [
    createOutbox("evaluation"),
    createIdempotency("evaluation"),
    indexOutbox("evaluation"),
    ownRelay("evaluation"),
    binaryOutbox("evaluation"),
  ],
};
