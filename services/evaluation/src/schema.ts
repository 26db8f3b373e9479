import { baseline, sqlFiles } from "@ems/kit/baseline";
import { idempotencyEntity } from "@ems/kit/db/idempotency";
import type { Schema } from "@ems/kit/db/schema";
import { outboxEntity } from "@ems/kit/events/outbox";
import { SpendingEntity } from "./budgets/entity.ts";
import { JobEntity } from "./jobs/entity.ts";
import { jobQueue } from "./jobs/store.ts";
import { ModelCallEntity } from "./limits/entity.ts";
import { ModelConnectionEntity } from "./model-connections/entity.ts";
import { TaskScheduleEntity } from "./schedules/entity.ts";
import { scheduleQueue } from "./schedules/queue.ts";
import { SettingEntity } from "./setting.ts";

/** The evaluation schema. */
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
  queues: [jobQueue, scheduleQueue],
  migrations: [
    baseline({
      schema: "evaluation",
      files: sqlFiles(import.meta.url, [
        "jobs/schema.sql",
        "limits/schema.sql",
        "model-connections/schema.sql",
        "budgets/schema.sql",
        "setting.sql",
        "schedules/schema.sql",
      ]),
      audited: [
        { table: "model_connection", secrets: ["api_key"] },
        { table: "setting", resource: "evaluation-settings", id: "application_id" },
        { table: "task_schedule", resource: "schedule", id: "task_id" },
      ],
    }),
  ],
  replaced: { newest: "CountEstimatedSpend1765090100000", dump: new URL("../schema.txt", import.meta.url) },
};
