import { baseline, sqlFiles } from "@ems/kit/baseline";
import { idempotencyEntity } from "@ems/kit/db/idempotency";
import type { Schema } from "@ems/kit/db/schema";
import { outboxEntity } from "@ems/kit/events/outbox";
import { DeadLetterEntity } from "./dead-letters/entity.ts";
import { AttemptEntity, DeliveryEntity } from "./deliveries/entity.ts";
import { deliveryQueue, promptQueue } from "./deliveries/worker/claim.ts";
import { EventLogEntity, EventPositionEntity } from "./event-log/entity.ts";
import { InboxEntity } from "./events/entity.ts";
import { ExportJobEntity, ExportSettingEntity } from "./exports/entity.ts";
import { exportQueue } from "./exports/worker/jobs.ts";
import { FeedbackEntity } from "./feedback/entity.ts";
import { MailJobEntity } from "./mail/entity.ts";
import { mailQueue } from "./mail/jobs.ts";
import { CreateExports1765402400000 } from "./migrations/create-exports.ts";
import { PromptOutcomeEntity } from "./prompts/entity.ts";
import { outcomeQueue } from "./prompts/outcomes.ts";
import { WebhookEntity } from "./webhooks/entity.ts";

/** Schema of notifications in the database. */
export const notificationsSchema: Schema = {
  name: "notifications",
  entities: [
    DeadLetterEntity,
    InboxEntity,
    EventPositionEntity,
    EventLogEntity,
    WebhookEntity,
    DeliveryEntity,
    AttemptEntity,
    PromptOutcomeEntity,
    FeedbackEntity,
    MailJobEntity,
    ExportSettingEntity,
    ExportJobEntity,
    outboxEntity("notifications"),
    idempotencyEntity("notifications"),
  ],
  queues: [deliveryQueue, promptQueue, outcomeQueue, mailQueue, exportQueue],
  migrations: [
    baseline({
      schema: "notifications",
      files: sqlFiles(import.meta.url, [
        "webhooks/schema.sql",
        "deliveries/schema.sql",
        "dead-letters/schema.sql",
        "events/schema.sql",
        "event-log/schema.sql",
        "feedback/schema.sql",
        "mail/schema.sql",
        "prompts/schema.sql",
      ]),
      audited: [{ table: "webhook", secrets: ["secret", "previous_secret", "headers"] }],
    }),
    CreateExports1765402400000,
  ],
  replaced: { newest: "KeepEtags1765080300000", dump: new URL("../baseline.txt", import.meta.url) },
};
