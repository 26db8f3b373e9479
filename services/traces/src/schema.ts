import { baseline } from "@ems/kit/baseline";
import { idempotencyEntity } from "@ems/kit/db/idempotency";
import type { Schema } from "@ems/kit/db/schema";
import { outboxEntity } from "@ems/kit/events/outbox";

/** The tables of traces. */
export const tracesSchema: Schema = {
  name: "traces",
  entities: [outboxEntity("traces"), idempotencyEntity("traces")],
  migrations: [baseline({ schema: "traces", files: [], audited: [] })],
};
