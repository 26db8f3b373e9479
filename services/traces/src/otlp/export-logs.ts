import { create } from "@bufbuild/protobuf";
import type { Transaction } from "@ems/kit/db/transaction";
import { tooLarge } from "@ems/kit/errors";
import { makeJsonStorable, makeStorable } from "@ems/kit/readers";
import type { Handlers } from "@ems/kit/rpc/service";
import type { Tenant } from "@ems/kit/tenant";
import type { OtlpService } from "@ems/proto/experiments/v1/otlp_service";
import {
  ExportLogsServiceRequestSchema,
  ExportLogsServiceResponseSchema,
} from "@ems/proto/opentelemetry/proto/collector/logs/v1/logs_service";
import { storeAttachments, type TraceAttachments } from "../attachments/index.ts";
import type { Deps } from "../deps.ts";
import { admitNames, redactExternalEvaluations, storeExternalEvaluations } from "../external-evaluations/index.ts";
import { redactFeedback, storeFeedback } from "../feedback/index.ts";
import { countReplaced, fillPayloads, mapInSlices } from "../traces/index.ts";
import { LogMessageEntity, type LogMessageRow, lockLogMessages, payloadsFromLogs } from "./log-message.ts";
import { readLogEvaluations } from "./read-evaluations.ts";
import { readLogFeedback } from "./read-feedback.ts";
import { type LogMessage, readLogs } from "./read-logs.ts";
import { reasonsText, refusedNames } from "./reasons.ts";
import { redactLogs } from "./redact-logs.ts";
import { decode, encode } from "./wire/decode.ts";

type Handler = Handlers<typeof OtlpService>["exportLogs"];

/**
 * Adds prompts and completions in log records to the steps of their spans, now or when the spans arrive, and stores
 * feedback and evaluations. Ignores other records.
 */
export function exportLogs(
  { database, clock, redactors }: Pick<Deps, "database" | "clock" | "redactors">,
  rowsMax: number,
): Handler {
  return async ({ payload, contentType }, call) => {
    const { message, warnings } = decode(ExportLogsServiceRequestSchema, payload, contentType);
    const scopes = message.resourceLogs.flatMap(({ scopeLogs }) => scopeLogs);
    const rows = scopes.reduce((sum, { logRecords }) => sum + logRecords.length, 0);
    if (rows > rowsMax) throw tooLarge(`A request has at most ${rowsMax} log records`);
    const { applicationId } = call.tenant;
    const attachments: TraceAttachments[] = [];
    const records = readLogs(message, (found) => void attachments.push(found));
    const results = await mapInSlices(applicationId, records, (result) => result);
    const now = clock.now();
    const events = readLogFeedback(message, now);
    const redactor = await redactors.of(call);
    const feedback = await redactFeedback(
      redactor,
      applicationId,
      events.flatMap((event) => ("error" in event ? [] : event)),
    );
    const evaluated = readLogEvaluations(message, now);
    const evaluations = await redactExternalEvaluations(
      redactor,
      applicationId,
      evaluated.flatMap((result) => ("error" in result ? [] : result)),
    );
    const received = results.flatMap((result) => ("error" in result ? [] : result));
    const found = await redactLogs(redactor, applicationId, received);
    const errors = [...results, ...events, ...evaluated].flatMap((result) => ("error" in result ? result.error : []));
    const buildAnswer = (refused: number) => {
      const errorMessage = reasonsText([...warnings, ...refusedNames(refused), ...errors]);
      const partialSuccess = { rejectedLogRecords: BigInt(errors.length + refused), errorMessage };
      const response = create(ExportLogsServiceResponseSchema, errorMessage === "" ? {} : { partialSuccess });
      return { payload: encode(ExportLogsServiceResponseSchema, response, contentType), rows: BigInt(rows) };
    };
    // A record that is repeated within one request is stored once.
    const distinct = [...new Map(found.map((each) => [each.id, each])).values()];
    const stored = distinct.map((each, position) => ({
      ...storableMessage(each),
      applicationId,
      position,
      createdAt: now,
    }));
    // There is nothing to store, except the answer to a request with an idempotency key.
    const isEmpty = stored.length + feedback.length + evaluations.length === 0;
    if (isEmpty && call.idempotency === undefined) return buildAnswer(0);
    return database.runExpensive(call, () =>
      database.change(call, async (tx) => {
        await storeFeedback(tx, call.tenant, feedback);
        const admitted = await admitNames(tx, applicationId, evaluations);
        if (stored.length > 0) await storeMessages(tx, call.tenant, stored, now);
        await storeAttachments(tx, call.tenant, attachments, now);
        await storeExternalEvaluations(tx, call.tenant, admitted, now);
        return buildAnswer(evaluations.length - admitted.length);
      }),
    );
  };
}

async function storeMessages(tx: Transaction, tenant: Tenant, stored: readonly LogMessageRow[], now: Date) {
  const { applicationId } = tenant;
  await lockLogMessages(tx, applicationId, "records");
  await tx.insert(
    LogMessageEntity,
    stored.toSorted((a, b) => (a.id < b.id ? -1 : 1)),
    "ignore",
  );
  await fillPayloads(tx, tenant, now, await payloadsFromLogs(tx, applicationId, stored));
}

function storableMessage({ content, finishReason, ...rest }: LogMessage) {
  const count = { replacedCharacters: 0 };
  const storable = {
    content: makeJsonStorable(content, count),
    finishReason: finishReason === null ? null : makeStorable(finishReason, count),
  };
  countReplaced(count.replacedCharacters);
  return { ...rest, ...storable, ...count };
}
