import { definedFields } from "@ems/kit/patch";
import { forward } from "@ems/kit/rpc/call";
import { idempotencyKeyHeader } from "@ems/kit/rpc/idempotency-key";
import type { Handlers } from "@ems/kit/rpc/service";
import type { DocumentTestTriggerService } from "@ems/proto/evaluation/v1/document_test_trigger_service";
import type { Deps } from "../deps.ts";
import { requireConnection } from "../model-connections/index.ts";

type Handler = Handlers<typeof DocumentTestTriggerService>["triggerDocumentTest"];

/**
 * Starts a document test in experiments; fails without a model connection. A repeated call returns the test of the
 * first call.
 */
export function triggerDocumentTest(deps: Pick<Deps, "database" | "connections" | "documentTests">): Handler {
  const { database, documentTests } = deps;
  return ({ type, quickstartId }, call) => {
    const start = async () => {
      await requireConnection(deps, call);
      const options = forward(call);
      const key = call.idempotency && { [idempotencyKeyHeader]: call.idempotency.key };
      const request = { type, ...definedFields({ quickstartId }) };
      return documentTests.startDocumentTest(request, { ...options, headers: { ...options.headers, ...key } });
    };
    return database.changeAfter(call, start, async (_, { data }) => definedFields({ data }));
  };
}
