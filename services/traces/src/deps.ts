import type { Client } from "@connectrpc/connect";
import type { Erasing, Stores } from "@ems/archive";
import type { Clock } from "@ems/kit/clock";
import type { Database } from "@ems/kit/db/database";
import type { NewId } from "@ems/kit/id";
import type { Retention } from "@ems/kit/retention";
import type { ReferenceService } from "@ems/proto/catalog/v1/reference_service";
import type { TestPlanService } from "@ems/proto/catalog/v1/test_plan_service";
import type { Completion } from "./completion/index.ts";
import type { ArrivalRules } from "./ingest-settings/arrival-rules.ts";
import type { Redactors } from "./ingest-settings/redactors.ts";
import type { Prices } from "./model-prices/prices.ts";

export interface Deps {
  readonly database: Database;
  /** Reads from PostgreSQL and from the archive in ClickHouse. */
  readonly stores: Stores;
  /** Restores and deletes archived rows for erasures. */
  readonly archiveErasing: Pick<Erasing, "restore" | "assertState" | "purge">;
  readonly clock: Clock;
  readonly newId: NewId;
  /** Finds the cost of a model's tokens, for steps that do not state their cost. */
  readonly prices: Pick<Prices, "of" | "forget">;
  /** Retention period of traces. */
  readonly retention: Pick<Retention<"traces">, "isCleared">;
  /** Redaction rules for texts that applications send. */
  readonly redactors: Pick<Redactors, "of" | "forget">;
  /** Paths and noise rules of applications. */
  readonly arrivalRules: Pick<ArrivalRules, "of" | "forget">;
  /** Schedules the completion of traces. */
  readonly completion: Completion;
  /** Looks up catalog's definitions by id. */
  readonly references: Pick<Client<typeof ReferenceService>, "batchGetReferences">;
  /** Creates catalog's tasks from traces. */
  readonly plans: Pick<Client<typeof TestPlanService>, "createTracedTask">;
}
