import { idempotencyEntity } from "@ems/kit/db/idempotency";
import type { Schema } from "@ems/kit/db/schema";
import { binaryOutbox, createIdempotency, createOutbox, indexOutbox, ownRelay } from "@ems/kit/db/shared-migrations";
import { outboxEntity } from "@ems/kit/events/outbox";
import { ScheduleTasks1763832100000 } from "./migrations/1763832100000-schedule-tasks.ts";
import { TaskScheduleEntity } from "./schedules/entity.ts";

/** Evaluation's part of the database. */
export const evaluationSchema: Schema = {
  name: "evaluation",
  entities: [TaskScheduleEntity, outboxEntity("evaluation"), idempotencyEntity("evaluation")],
  migrations: [
    createOutbox("evaluation"),
    createIdempotency("evaluation"),
    indexOutbox("evaluation"),
    ownRelay("evaluation"),
    binaryOutbox("evaluation"),
    ScheduleTasks1763832100000,
  ],
};
