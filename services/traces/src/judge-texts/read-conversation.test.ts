import type { Statement } from "@ems/kit/db/database";
import type { Call } from "@ems/kit/rpc/call";
import { TraceService } from "@ems/proto/experiments/v1/trace_service";
import { testCall, testTenant } from "@ems/test-support";
import { expect, test } from "vitest";
import { exportRecording, listRecordings } from "../../test/frameworks/read-recording.ts";
import { tracesHarness } from "../../test/harness.ts";
import type { Deps } from "../deps.ts";
import type { StoredStep } from "../traces/step-row.ts";
import { readConversation } from "./read-conversation.ts";

const harness = await tracesHarness();
const traces = harness.client(TraceService);
const database = {
  readAll: (_: Call, statements: readonly Statement[]) =>
    Promise.all(statements.map(({ text, values }) => harness.database.sql(text, [...(values ?? [])]))),
};
// Safe cast: only `readAll` and the paths are used.
const read = readConversation({
  stores: { database },
  arrivalRules: { of: async () => ({ paths: {} }) },
} as unknown as Deps);

test.each(listRecordings())("%s: archived traces have the same question and answer", async (name) => {
  const tenant = testTenant();
  await exportRecording(harness, name, testCall(tenant));
  const { data } = await traces.listTraces({ limit: 100 }, testCall(tenant));
  expect(data.map(({ question }) => question)).toEqual(data.map(() => undefined));
  for (const { id } of data) {
    const { data: stored } = await traces.getTrace({ id }, testCall(tenant));
    const archivedSteps = await harness.database.sql<StoredStep>(
      `SELECT trace_id AS "traceId", id, parent_id AS "parentId", "timestamp", type, event, input, output, fields
       FROM traces.trace_step WHERE application_id = $1 AND trace_id = $2 ORDER BY "timestamp", "position"`,
      [tenant.applicationId, id],
    );
    // Safe cast: the stub of the database reads no call.
    const found = await read({ tenant } as Call, { id, createdAt: new Date(), archivedSteps });
    expect(found).toEqual({
      ...(stored?.question !== undefined && { question: stored.question }),
      ...(stored?.answer !== undefined && { answer: stored.answer }),
    });
  }
});
