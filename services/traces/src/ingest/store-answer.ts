import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { derivedId } from "@ems/kit/id";
import { fromValue } from "@ems/kit/json/free-value";
import { dateFromTimestamp } from "@ems/kit/json/timestamp";
import type { Handlers } from "@ems/kit/rpc/service";
import type { TraceWorkService } from "@ems/proto/traces/v1/trace_work_service";
import { storeAttachments } from "../attachments/index.ts";
import type { Deps } from "../deps.ts";
import { redactUpdates } from "../ingest-settings/index.ts";
import { isInArchive, measureUpdates, type StepMonths, storeUpdates } from "../traces/index.ts";
import { answerEvent } from "./answer-event.ts";
import { toUpdate } from "./event-update.ts";

type Handler = Handlers<typeof TraceWorkService>["storeAnswer"];
type AnswerDeps = Pick<Deps, "stores" | "clock" | "prices" | "completion" | "redactors" | "arrivalRules">;

const answered = "UPDATE traces.trace_settling SET answer_ms = $3 WHERE application_id = $1 AND trace_id = $2";

/** Stores an application's answer as a trace that names the test and is complete immediately. */
export function storeAnswer(
  { stores: { database, hasArchive }, clock, prices, completion, redactors, arrivalRules }: AnswerDeps,
  months: StepMonths,
): Handler {
  return async ({ testId, prompt, body, answeredAt, durationMs }, call) => {
    const now = clock.now();
    const { applicationId, orgId } = call.tenant;
    const event = answerEvent({
      testId: testId.toLowerCase(),
      body,
      prompt: prompt === undefined ? null : fromValue(prompt),
      answeredAt: answeredAt === undefined ? now : dateFromTimestamp(answeredAt),
      durationMs,
    });
    if (event === undefined) return { isStored: false };
    // Deterministic ids, so that a repeated request creates the same ones.
    let made = 0;
    const nextId = () => derivedId("answer", testId, made++);
    const findPrice = await prices.of(call);
    const named = toUpdate(event, { now: timestampFromDate(now), newId: nextId, findPrice, applicationId, orgId });
    if ("error" in named) return { isStored: false };
    const redactor = await redactors.of(call);
    const { paths } = await arrivalRules.of(call);
    return months.within(now, (begin) =>
      database.change(call, async (tx) => {
        begin(tx);
        // An archived trace cannot receive an answer, so the answer gets a trace of its own.
        const isArchived = hasArchive && (await isInArchive(tx, applicationId, named.traceId));
        const update = isArchived ? { ...named, traceId: nextId() } : named;
        const redacted = await redactUpdates(redactor, paths, applicationId, [update]);
        const updates = await measureUpdates(applicationId, redacted);
        const { attachments = [] } = update;
        const [result] = await storeUpdates(
          tx,
          call.tenant,
          { now, source: "ingest", completion, hasArchive },
          updates,
        );
        const isStored = result !== undefined && !("error" in result);
        if (isStored) await storeAttachments(tx, call.tenant, [{ traceId: update.traceId, attachments }], now);
        if (isStored) tx.defer(answered, [applicationId, update.traceId, durationMs]);
        return { isStored };
      }),
    );
  };
}
