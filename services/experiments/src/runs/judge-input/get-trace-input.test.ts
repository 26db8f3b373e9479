import { fromJson, type JsonValue } from "@bufbuild/protobuf";
import { ValueSchema } from "@bufbuild/protobuf/wkt";
import { Code } from "@ems/kit/errors";
import { newId } from "@ems/kit/id";
import { ExecutionService } from "@ems/proto/experiments/v1/execution_service";
import { IngestService } from "@ems/proto/experiments/v1/ingest_service";
import { testCall, testTenant } from "@ems/test-support";
import { expect, test } from "vitest";
import { experimentsHarness } from "../../../test/harness.ts";

const harness = await experimentsHarness();
const value = (json: JsonValue) => fromJson(ValueSchema, json);
const tenant = testTenant();

async function ingested(): Promise<string> {
  const traceId = newId();
  const events = [
    { type: "trace", traceId },
    { type: "request", traceId, content: value("What does it cost?") },
    { type: "retriever", traceId, query: value("price"), result: value("12 euros a year") },
    { type: "response", traceId, content: value("It costs 12 euros.") },
  ];
  await harness.client(IngestService).ingestEvents({ events }, testCall(tenant));
  return traceId;
}

const input = (traceId: string, call = testCall(tenant)) =>
  harness.client(ExecutionService).getTraceInput({ traceId }, call);

test("a trace without a test has a question, an answer and context, by either form of its id", async () => {
  const traceId = await ingested();
  const read = {
    question: "What does it cost?",
    output: "It costs 12 euros.",
    context: ["12 euros a year"],
    hasRetriever: true,
  };
  expect(await input(traceId)).toMatchObject(read);
  expect(await input(traceId.replaceAll("-", "").toUpperCase())).toMatchObject(read);
});

test("unknown traces and traces of another tenant are not found", async () => {
  const notFound = { code: Code.NotFound, rawMessage: "Trace not found" };
  await expect(input(newId())).rejects.toMatchObject(notFound);
  await expect(input(await ingested(), testCall(testTenant()))).rejects.toMatchObject(notFound);
});
