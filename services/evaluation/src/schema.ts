import { idempotencyEntity } from "@ems/kit/db/idempotency";
import type { Schema } from "@ems/kit/db/schema";
import {
  binaryOutbox,
  createAudit,
  createIdempotency,
  createOutbox,
  createRetention,
  indexOutbox,
  keepEtags,
  ownRelay,
} from "@ems/kit/db/shared-migrations";
import { outboxEntity } from "@ems/kit/events/outbox";
import { SpendingEntity } from "./budgets/entity.ts";
import { JobEntity } from "./jobs/entity.ts";
import { ModelCallEntity } from "./limits/entity.ts";
import { ScheduleTasks1763832100000 } from "./migrations/1763832100000-schedule-tasks.ts";
import { CreateJobs1763834000000 } from "./migrations/1763834000000-create-jobs.ts";
import { ReserveCalls1763834100000 } from "./migrations/1763834100000-reserve-calls.ts";
import { ConnectModels1763835000000 } from "./migrations/1763835000000-connect-models.ts";
import { KeepReplies1763848000000 } from "./migrations/1763848000000-keep-replies.ts";
import { AddDocumentJobs1765000201000 } from "./migrations/1765000201000-add-document-jobs.ts";
import { CountUncertainSpend1765080100000 } from "./migrations/1765080100000-count-uncertain-spend.ts";
import { CountEstimatedSpend1765090100000 } from "./migrations/1765090100000-count-estimated-spend.ts";
import { ModelConnectionEntity } from "./model-connections/entity.ts";
import { TaskScheduleEntity } from "./schedules/entity.ts";
import { SettingEntity } from "./setting.ts";

/** Evaluation's part of the database. */
export const evaluationSchema: Schema = {
  name: "evaluation",
  entities: [
    JobEntity,
    ModelCallEntity,
    ModelConnectionEntity,
    SpendingEntity,
    SettingEntity,
    TaskScheduleEntity,
    outboxEntity("evaluation"),
    idempotencyEntity("evaluation"),
  ],
  migrations: [
    createOutbox("evaluation"),
    createIdempotency("evaluation"),
    indexOutbox("evaluation"),
    ownRelay("evaluation"),
    binaryOutbox("evaluation"),
    ScheduleTasks1763832100000,
    CreateJobs1763834000000,
    ReserveCalls1763834100000,
    ConnectModels1763835000000,
    KeepReplies1763848000000,
    AddDocumentJobs1765000201000,
    createAudit("evaluation", [
      { table: "model_connection", secrets: ["api_key"] },
      { table: "setting", resource: "evaluation-settings", id: "application_id" },
      { table: "task_schedule", resource: "schedule", id: "task_id" },
    ]),
    createRetention("evaluation"),
    CountUncertainSpend1765080100000,
    CountEstimatedSpend1765090100000,
    keepEtags("evaluation"),
  ],
};
