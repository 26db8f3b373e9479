import { enumName } from "@ems/kit/enum";
import { failure } from "@ems/kit/errors";
import type { Handlers } from "@ems/kit/rpc/service";
import { DocumentTestTypeSchema } from "@ems/proto/experiments/v1/document_test";
import type { DocumentTestExecutionService } from "@ems/proto/experiments/v1/document_test_execution_service";
import type { Deps } from "../../deps.ts";
import { quickstartById } from "../../experiments/quickstarts/index.ts";
import { DocumentTestEntity, type DocumentTestRow } from "./entity.ts";
import { documentTest } from "./messages.ts";

type Handler = Handlers<typeof DocumentTestExecutionService>["startDocumentTest"];

const runningTest = `SELECT id FROM experiments.document_test
  WHERE application_id = $1 AND type = $2 AND status IN ('PENDING', 'IN_PROGRESS')`;

/** Starts a document test, which evaluation then claims. Only one test per type can be open at a time. */
export function startDocumentTest({ database, clock, newId }: Pick<Deps, "database" | "clock" | "newId">): Handler {
  return ({ type, quickstartId }, call) => {
    const check = async () =>
      quickstartId === undefined ? null : (await quickstartById.read(database, call, quickstartId)).id;
    return database.changeAfter(call, check, async (tx, quickstart) => {
      const { applicationId, orgId } = call.tenant;
      const now = clock.now();
      const row: DocumentTestRow = {
        applicationId,
        id: newId(),
        orgId,
        type: enumName(DocumentTestTypeSchema, type),
        status: "PENDING",
        plan: null,
        results: null,
        meceMeanOverlap: null,
        meceMeanContradictions: null,
        message: null,
        waitingFor: null,
        quickstartId: quickstart,
        questions: 0,
        questionsEnded: 0,
        dueAt: now,
        attempt: 0,
        createdAt: now,
        modifiedAt: now,
      };
      // A concurrent request waits here until the first one commits.
      const [created] = await tx.insertReturning(DocumentTestEntity, [row], ["id"], "ignore");
      if (created === undefined) {
        const [running] = await tx.query<{ id: string }>(runningTest, [applicationId, row.type]);
        throw failure(
          "STATE_CONFLICT",
          `A document test of type ${row.type} has not ended: ${running?.id ?? "try again"}`,
        );
      }
      return { data: documentTest(row) };
    });
  };
}
