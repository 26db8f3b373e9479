import type { Client } from "@connectrpc/connect";
import type { Erasing, Stores } from "@ems/archive";
import type { Clock } from "@ems/kit/clock";
import type { Database } from "@ems/kit/db/database";
import type { Publish, PublishAll } from "@ems/kit/events/publish";
import type { NewId } from "@ems/kit/id";
import type { Retention } from "@ems/kit/retention";
import type { DocumentService } from "@ems/proto/catalog/v1/document_service";
import type { ReferenceService } from "@ems/proto/catalog/v1/reference_service";
import type { TaskService } from "@ems/proto/catalog/v1/task_service";
import type { TestPlanService } from "@ems/proto/catalog/v1/test_plan_service";
import type { TraceWorkService } from "@ems/proto/traces/v1/trace_work_service";
import type { Redactors } from "@ems/traces-client";
import type { Users } from "@ems/users";

export interface Deps {
  readonly database: Database;
  /** Reads from PostgreSQL and from the archive in ClickHouse. */
  readonly stores: Stores;
  readonly publish: Publish;
  readonly publishAll: PublishAll;
  /** Restores and deletes archived rows for erasures. */
  readonly archiveErasing: Pick<Erasing, "restore" | "assertState" | "purge">;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly users: Users;
  /** Maximum time between the acceptance of a prompt and the arrival of its trace. */
  readonly traceTimeoutMs: number;
  /** Retention period of tests and evaluations. */
  readonly retention: Pick<Retention<"results">, "getDays" | "since" | "isCleared">;
  /** Redaction rules for data that applications send. */
  readonly redactors: Pick<Redactors, "of">;
  /** RPCs of the traces service: completed traces, texts for judges, answers, and erasures. */
  readonly traceWork: Client<typeof TraceWorkService>;
  /** Looks up catalog's resources by id. */
  readonly references: Pick<
    Client<typeof ReferenceService>,
    "batchGetReferences" | "checkReferences" | "registerQuickstart"
  >;
  /** Creates tasks that issues suggest, and reads the tasks of document tests. */
  readonly tasks: Pick<Client<typeof TaskService>, "createTask" | "updateTask" | "listTasks">;
  /** Reads the texts of documents. */
  readonly documents: Pick<Client<typeof DocumentService>, "listDocumentChunks">;
  /** Reads the tasks to test, and the definitions that judge the tests. */
  readonly plans: Client<typeof TestPlanService>;
}
