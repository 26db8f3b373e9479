import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { Transaction } from "@ems/kit/db/transaction";
import type { Redactor } from "@ems/kit/redaction";
import type { Tenant } from "@ems/kit/tenant";
import type { Deps } from "../../deps.ts";
import { redactUpdates } from "../ingest-settings/index.ts";
import { isInArchive, measureUpdates, storeUpdates } from "../traces/index.ts";
import { answerEvent, type PromptAnswer } from "./answer-event.ts";
import { updateOf } from "./event-update.ts";

/**
 * Stores an application's answer as a trace that names the test and settles at once. Answers whether the body was usable. Comes
 * before locks of tests in its transaction: the trace may be stored already.
 */
export async function storeAnswer(
  { newId, priceOf, settling, stores: { hasArchive } }: Pick<Deps, "newId" | "priceOf" | "settling" | "stores">,
  tx: Transaction,
  tenant: Tenant,
  now: Date,
  redactor: Redactor | undefined,
  answer: PromptAnswer,
): Promise<boolean> {
  const event = answerEvent(answer);
  if (event === undefined) return false;
  const named = updateOf(event, { now: timestampFromDate(now), newId, priceOf, orgId: tenant.orgId });
  if ("error" in named) return false;
  // A trace of the archive takes no answer: it gets one of its own.
  const isArchived = hasArchive && (await isInArchive(tx, tenant.applicationId, named.traceId));
  const update = isArchived ? { ...named, traceId: newId() } : named;
  const redacted = await redactUpdates(redactor, tenant.applicationId, [update]);
  const updates = await measureUpdates(tenant.applicationId, redacted);
  const [result] = await storeUpdates(tx, tenant, { now, source: "ingest", settling, hasArchive }, updates);
  return result !== undefined && !("error" in result);
}
