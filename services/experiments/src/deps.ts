import type { Client } from "@connectrpc/connect";
import type { Erasing, Stores } from "@ems/archive";
import type { Clock } from "@ems/kit/clock";
import type { Database } from "@ems/kit/db/database";
import type { Transaction } from "@ems/kit/db/transaction";
import type { Publish, PublishAll } from "@ems/kit/events/publish";
import type { NewId } from "@ems/kit/id";
import type { Retention } from "@ems/kit/retention";
import type { Tenant } from "@ems/kit/tenant";
import type { PriceOf } from "@ems/prices";
import type { DocumentService } from "@ems/proto/catalog/v1/document_service";
import type { ReferenceService } from "@ems/proto/catalog/v1/reference_service";
import type { TaskService } from "@ems/proto/catalog/v1/task_service";
import type { TestPlanService } from "@ems/proto/catalog/v1/test_plan_service";
import type { Users } from "@ems/users";
import type { Redactors } from "./traces/ingest-settings/redactors.ts";

/** How a request's steps came: spans say when their trace's root has ended. */
export type ArrivalSource = "ingest" | "otlp";

/** What a request added to a trace. */
export interface TraceArrival {
  readonly traceId: string;
  readonly testId: string | null;
  /** Whether the request named the test for the first time. */
  readonly isTestNew: boolean;
  readonly newSteps: readonly { readonly parentId: string | null; readonly fields: { readonly endTime?: unknown } }[];
  /** Whether the request had the trace itself, not only steps of it. */
  readonly hasTrace: boolean;
}

/** Has traces settle when no more comes, by one deferred statement at most. */
export interface Settling {
  touch(tx: Transaction, tenant: Tenant, source: ArrivalSource, arrivals: readonly TraceArrival[]): void;
}

export interface Deps {
  readonly database: Database;
  /** The database, and the archive. */
  readonly stores: Stores;
  readonly publish: Publish;
  readonly publishAll: PublishAll;
  /** Erases what the archive has. */
  readonly archiveErasing: Pick<Erasing, "restore" | "assertState" | "purge">;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly users: Users;
  /** What a model's tokens cost, of steps that do not say it. */
  readonly priceOf: PriceOf;
  /** How long a test waits for the trace of a prompt that was accepted. */
  readonly traceTimeoutMs: number;
  /** Since when traces and results are kept. */
  readonly retention: Pick<Retention<"traces" | "results">, "daysOf" | "since" | "isCleared">;
  /** What is redacted of what applications send. */
  readonly redactors: Pick<Redactors, "of" | "forget">;
  /** Traces that are to settle. */
  readonly settling: Settling;
  /** Catalog's resources, by id. */
  readonly references: Pick<
    Client<typeof ReferenceService>,
    "batchGetReferences" | "checkReferences" | "registerQuickstart"
  >;
  /** Tasks that issues suggest, and those that document tests look at. */
  readonly tasks: Pick<Client<typeof TaskService>, "createTask" | "updateTask" | "listTasks">;
  /** Texts of documents. */
  readonly documents: Pick<Client<typeof DocumentService>, "listDocumentChunks">;
  /** What tests are made of and judged by. */
  readonly plans: Client<typeof TestPlanService>;
}
