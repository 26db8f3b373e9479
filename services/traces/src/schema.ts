import { baseline } from "@ems/kit/baseline";
import { idempotencyEntity } from "@ems/kit/db/idempotency";
import type { Schema } from "@ems/kit/db/schema";
import { outboxEntity } from "@ems/kit/events/outbox";
import { AttachmentEntity, TraceAttachmentEntity } from "./attachments/entity.ts";
import { completionQueue } from "./completion/claim-completed-traces.ts";
import { EvaluationNameEntity, ExternalEvaluationEntity } from "./external-evaluations/entity.ts";
import { FeedbackEntity } from "./feedback/entity.ts";
import { IngestSettingEntity } from "./ingest-settings/entity.ts";
import { AddImports1765401000000 } from "./migrations/add-imports.ts";
import { AddMicroseconds1765400200000 } from "./migrations/add-microseconds.ts";
import { AddOrigin1765400400000 } from "./migrations/add-origin.ts";
import { AddTokenKinds1765400100000 } from "./migrations/add-token-kinds.ts";
import { AddTracePaths1765402400000 } from "./migrations/add-trace-paths.ts";
import { CreateAttachments1765402300000 } from "./migrations/create-attachments.ts";
import { CreateExternalEvaluations1765402100000 } from "./migrations/create-external-evaluations.ts";
import { CreateFeedback1765400320000 } from "./migrations/create-feedback.ts";
import { CreateSessions1765402200000 } from "./migrations/create-sessions.ts";
import { CreateStepDays1765402210000 } from "./migrations/create-step-days.ts";
import { ImportAttachments1765402410000 } from "./migrations/import-attachments.ts";
import { MoveTraces1765300100000 } from "./migrations/move-traces.ts";
import { PublishReports1765400510000 } from "./migrations/publish-reports.ts";
import { ReindexWords1765401010000 } from "./migrations/reindex-words.ts";
import { ModelPriceListEntity } from "./model-prices/entity.ts";
import { LogMessageEntity } from "./otlp/log-message.ts";
import { searchQueue } from "./search/jobs.ts";
import { SessionEntity } from "./sessions/entity.ts";
import { TraceEntity, TraceStepEntity } from "./traces/entity.ts";

/** The traces schema. Its tables belong to experiments until `MoveTraces`. */
export const tracesSchema: Schema = {
  name: "traces",
  entities: [
    TraceEntity,
    TraceStepEntity,
    LogMessageEntity,
    IngestSettingEntity,
    ModelPriceListEntity,
    FeedbackEntity,
    ExternalEvaluationEntity,
    AttachmentEntity,
    TraceAttachmentEntity,
    EvaluationNameEntity,
    SessionEntity,
    outboxEntity("traces"),
    idempotencyEntity("traces"),
  ],
  queues: [completionQueue, searchQueue],
  migrations: [
    baseline({ schema: "traces", files: [], audited: [], erasesCopies: true }),
    MoveTraces1765300100000,
    AddTokenKinds1765400100000,
    AddMicroseconds1765400200000,
    CreateFeedback1765400320000,
    AddOrigin1765400400000,
    PublishReports1765400510000,
    AddImports1765401000000,
    ReindexWords1765401010000,
    CreateExternalEvaluations1765402100000,
    CreateSessions1765402200000,
    CreateStepDays1765402210000,
    CreateAttachments1765402300000,
    AddTracePaths1765402400000,
    ImportAttachments1765402410000,
  ],
};
