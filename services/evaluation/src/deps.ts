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
import type { Models, TenantPrices } from "./model/index.ts";

/** Dependencies of evaluation's handlers and workers; each takes only those that it needs. */
export interface Deps {
  readonly config: EvaluationConfig;
  /** Database access in the scope of one application. */
  readonly database: Database;
  /** Database access to the rows of all applications, for workers. */
  readonly relayDatabase: RelayDatabase;
  readonly publish: Publish;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly random: Random;
  readonly log: Logger;
  /** Encrypts the API keys of model connections. */
  readonly secrets: SecretBox;
  readonly models: Models;
  /** Prices of models, with those of the application. */
  readonly prices: TenantPrices;
  /** Makes waiting jobs due. Called when a model connection works again or is replaced. */
  readonly onConnectionWorks: (tx: Transaction, applicationId: string, now: Date) => void;
  /** Model connections in the form that jobs use. */
  readonly connections: Connections;
  readonly execution: Client<typeof ExecutionService>;
  /** Internal RPCs of experiments for document tests and their questions. */
  readonly documentTests: Client<typeof DocumentTestExecutionService>;
  /** Erasures that evaluation must apply to its copies of texts. */
  readonly erasureWork: Client<typeof ErasureWorkService>;
  /** Checks which tasks exist. */
  readonly references: Pick<Client<typeof ReferenceService>, "checkReferences">;
  /** Reads definitions in the form that judges need. */
  readonly plans: Pick<Client<typeof TestPlanService>, "getDraftJudgeDefinition">;
}
