import { idempotencyEntity } from "@ems/kit/db/idempotency";
import type { Schema } from "@ems/kit/db/schema";
import { binaryOutbox, createAudit, createRetention, keepEtags } from "@ems/kit/db/shared-migrations";
import { outboxEntity } from "@ems/kit/events/outbox";
import { DeadLetterEntity } from "./dead-letters/entity.ts";
import { AttemptEntity, DeliveryEntity } from "./deliveries/entity.ts";
import { EventLogEntity, EventPositionEntity } from "./event-log/entity.ts";
import { InboxEntity } from "./events/entity.ts";
import { FeedbackEntity } from "./feedback/entity.ts";
import { MailJobEntity } from "./mail/entity.ts";
import { CreateWebhooks1763730000000 } from "./migrations/1763730000000-create-webhooks.ts";
import { CreateDeadEvents1763731000000 } from "./migrations/1763731000000-create-dead-events.ts";
import { CreateMail1763732000000 } from "./migrations/1763732000000-create-mail.ts";
import { ResendFeedback1763733000000 } from "./migrations/1763733000000-resend-feedback.ts";
import { OwnRelay1763750000000 } from "./migrations/1763750000000-own-relay.ts";
import { IndexFeedback1763770000000 } from "./migrations/1763770000000-index-feedback.ts";
import { CreateEventLog1763809300000 } from "./migrations/1763809300000-create-event-log.ts";
import { CreatePrompts1763833000000 } from "./migrations/1763833000000-create-prompts.ts";
import { IndexPromptOutcomes1763842000000 } from "./migrations/1763842000000-index-prompt-outcomes.ts";
import { LeaseMails1763842100000 } from "./migrations/1763842100000-lease-mails.ts";
import { ErasePayloads1765010400000 } from "./migrations/1765010400000-erase-payloads.ts";
import { PromptOutcomeEntity } from "./prompts/entity.ts";
import { WebhookEntity } from "./webhooks/entity.ts";

/** Notifications' part of the database. */
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
    outboxEntity("notifications"),
    idempotencyEntity("notifications"),
  ],
  migrations: [
    CreateWebhooks1763730000000,
    CreateDeadEvents1763731000000,
    CreateMail1763732000000,
    ResendFeedback1763733000000,
    OwnRelay1763750000000,
    IndexFeedback1763770000000,
    binaryOutbox("notifications"),
    CreateEventLog1763809300000,
    CreatePrompts1763833000000,
    IndexPromptOutcomes1763842000000,
    LeaseMails1763842100000,
    createAudit("notifications", [{ table: "webhook", secrets: ["secret", "previous_secret", "headers"] }]),
    ErasePayloads1765010400000,
    createRetention("notifications"),
    keepEtags("notifications"),
  ],
};
