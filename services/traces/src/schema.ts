import { baseline } from "@ems/kit/baseline";
import { idempotencyEntity } from "@ems/kit/db/idempotency";
import type { Schema } from "@ems/kit/db/schema";
import { outboxEntity } from "@ems/kit/events/outbox";
import { completionQueue } from "./completion/claim-completed-traces.ts";
import { IngestSettingEntity } from "./ingest-settings/entity.ts";
import { AddMicroseconds1765400200000 } from "./migrations/add-microseconds.ts";
import { MoveTraces1765300100000 } from "./migrations/move-traces.ts";
import { LogMessageEntity } from "./otlp/log-message.ts";
import { searchQueue } from "./search/jobs.ts";
import { TraceEntity, TraceStepEntity } from "./traces/entity.ts";

/** The traces schema. Its tables belong to experiments until `MoveTraces`. */
export const tracesSchema: Schema = {
  name: "traces",
  entities: [
    TraceEntity,
    TraceStepEntity,
    LogMessageEntity,
    IngestSettingEntity,
    outboxEntity("traces"),
    idempotencyEntity("traces"),
  ],
  queues: [completionQueue, searchQueue],
  migrations: [
    baseline({ schema: "traces", files: [], audited: [], erasesCopies: true }),
    MoveTraces1765300100000,
    AddMicroseconds1765400200000,
  ],
};
