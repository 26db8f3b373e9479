import type { Client } from "@connectrpc/connect";
import type { Clock } from "@ems/kit/clock";
import type { Database } from "@ems/kit/db/database";
import type { RelayDatabase } from "@ems/kit/db/relay-database";
import type { Transaction } from "@ems/kit/db/transaction";
import type { Publish } from "@ems/kit/events/publish";
import type { NewId, Random } from "@ems/kit/id";
import type { Logger } from "@ems/kit/log";
import type { SecretBox } from "@ems/kit/secret-box";
import type { ReferenceService } from "@ems/proto/catalog/v1/reference_service";
import type { TestPlanService } from "@ems/proto/catalog/v1/test_plan_service";
import type { DocumentTestExecutionService } from "@ems/proto/experiments/v1/document_test_execution_service";
import type { ErasureWorkService } from "@ems/proto/experiments/v1/erasure_work_service";
import type { ExecutionService } from "@ems/proto/experiments/v1/execution_service";
import type { EvaluationConfig } from "./config.ts";
import type { Connections } from "./jobs/connections.ts";
import type { Models } from "./model/index.ts";

/** What evaluation's resources and workers depend on; each takes what it needs. */
export interface Deps {
  readonly config: EvaluationConfig;
  /** On behalf of one application. */
  readonly database: Database;
  /** The rows of all applications, for workers. */
  readonly relayDatabase: RelayDatabase;
  readonly publish: Publish;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly random: Random;
  readonly log: Logger;
  /** Seals the keys of model connections. */
  readonly secrets: SecretBox;
  readonly models: Models;
  /** A model connection works again, or another one takes its place: jobs that wait for one are due. */
  readonly onConnectionWorks: (tx: Transaction, applicationId: string, now: Date) => void;
  /** Model connections, as jobs use them. */
  readonly connections: Connections;
  readonly execution: Client<typeof ExecutionService>;
  /** Document tests, and their questions. */
  readonly documentTests: Client<typeof DocumentTestExecutionService>;
  /** Whose copies are to be erased here. */
  readonly erasureWork: Client<typeof ErasureWorkService>;
  /** Which tasks there are. */
  readonly references: Pick<Client<typeof ReferenceService>, "checkReferences">;
  /** Definitions as judges need them. */
  readonly plans: Pick<Client<typeof TestPlanService>, "getDraftJudgeDefinition">;
}
