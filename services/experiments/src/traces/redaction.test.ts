import { type DescMessage, fromJson, type JsonObject } from "@bufbuild/protobuf";
import { ValueSchema } from "@bufbuild/protobuf/wkt";
import type { ConnectError } from "@ems/kit/errors";
import { newId } from "@ems/kit/id";
import { issuesOfError } from "@ems/kit/json/violations";
import { ErasureService } from "@ems/proto/experiments/v1/erasure_service";
import { EvaluationService } from "@ems/proto/experiments/v1/evaluation_service";
import { IngestService } from "@ems/proto/experiments/v1/ingest_service";
import {
  BuiltInPattern,
  IngestSettingsService,
  TestIngestSettingsRequestSchema,
  UpdateIngestSettingsRequestSchema,
} from "@ems/proto/experiments/v1/ingest_settings_service";
import { OtlpService } from "@ems/proto/experiments/v1/otlp_service";
import { TestService } from "@ems/proto/experiments/v1/test_service";
import { TraceService } from "@ems/proto/experiments/v1/trace_service";
import { placesOfText, testCall, testTenant } from "@ems/test-support";
import { anyValue, keyValues, otlpSpan, request } from "@ems/test-support/otlp";
import { expect, test, vi } from "vitest";
import { executions } from "../../test/executions.ts";
import { experimentsHarness } from "../../test/harness.ts";

const harness = await experimentsHarness();
const { client, database, tenant } = harness;
const [settings, ingest, otlp] = [client(IngestSettingsService), client(IngestService), client(OtlpService)];
const [traces, tests, erasures] = [client(TraceService), client(TestService), client(ErasureService)];
const caller = testCall(tenant);
const value = (json: JsonObject | string) => fromJson(ValueSchema, json);

const mail = "jane.doe@private.example";
const phone = "+49 30 1234567";
const text = `I am ${mail}, call ${phone} (KD-123456)`;
const redactedText = "I am [redacted:EMAIL], call [redacted:PHONE] ([customer])";
const rules = [
  { builtIn: BuiltInPattern.EMAIL },
  { builtIn: BuiltInPattern.PHONE },
  { name: "customer", pattern: "KD-\\d{6}", replacement: "[customer]" },
];
const set = (redactions: typeof rules, by = caller) => settings.updateIngestSettings({ redactions }, by);

/** Expects that no table contains the text. */
async function expectNowhere() {
  for (const schema of ["experiments", "traces"])
    for (const part of ["jane.doe", "1234567", "KD-123456"])
      expect([part, await placesOfText(database, schema, part)]).toEqual([part, []]);
}

const sendLogs = (logRecords: JsonObject[]) => {
  const payload = Buffer.from(JSON.stringify({ resourceLogs: [{ scopeLogs: [{ logRecords }] }] }));
  return otlp.exportLogs({ payload, contentType: "application/json" }, caller);
};

test("an application has no redactions by default and returns those that were set", async () => {
  const other = testCall(testTenant());
  expect((await settings.getIngestSettings({}, other)).data).toMatchObject({ redactions: [] });
  const { data } = await settings.updateIngestSettings(
    { redactions: [{ builtIn: BuiltInPattern.IBAN, enabled: false }] },
    other,
  );
  const expected = { name: "IBAN", builtIn: BuiltInPattern.IBAN, replacement: "[redacted:IBAN]", enabled: false };
  expect(data?.redactions).toMatchObject([expected]);
  expect(data?.modifiedAt).toBeDefined();
  expect((await settings.getIngestSettings({}, other)).data).toEqual(data);
  expect((await settings.getIngestSettings({}, testCall(testTenant()))).data?.redactions).toEqual([]);
});

test.each([
  [[{ builtIn: BuiltInPattern.EMAIL }, { builtIn: BuiltInPattern.EMAIL }], "redactions.1.name"],
  [[{ name: "a" }], "redactions.0"],
  [[{ name: "a", pattern: "b", builtIn: BuiltInPattern.EMAIL }], "redactions.0"],
  [[{ pattern: "b" }], "redactions.0.name"],
  [[{ name: "a", pattern: "(" }], "redactions.0.pattern"],
  [[{ name: "a", pattern: "b*" }], "redactions.0.pattern"],
  [[{ name: "a", pattern: "[a-z]{1,100}" }], "redactions.0.pattern"],
])("%j is refused, with its path", async (redactions, path) => {
  const listPaths = (desc: DescMessage) => (error: unknown) =>
    issuesOfError(error as ConnectError, desc).map((issue) => issue.path.join("."));
  const set = settings.updateIngestSettings({ redactions }, caller);
  await expect(set.catch(listPaths(UpdateIngestSettingsRequestSchema))).resolves.toEqual([path]);
  const tried = settings.testIngestSettings({ text: "a", redactions: { redactions } }, caller);
  await expect(tried.catch(listPaths(TestIngestSettingsRequestSchema))).resolves.toEqual([path]);
});

test("a trial redacts by the requested rules, else by the stored ones, and stores nothing", async () => {
  const by = testCall(testTenant());
  expect(await settings.testIngestSettings({ text }, by)).toMatchObject({ text });
  const tried = await settings.testIngestSettings({ text, redactions: { redactions: rules } }, by);
  expect(tried.text).toBe(redactedText);
  expect((await settings.getIngestSettings({}, by)).data?.redactions).toEqual([]);
  await set(rules, by);
  expect((await settings.testIngestSettings({ text }, by)).text).toBe(redactedText);
  expect((await settings.testIngestSettings({ text, redactions: { redactions: [] } }, by)).text).toBe(text);
});

test("redacted text of traces is nowhere in the database, and its user can be found and erased", async () => {
  await set(rules);
  const referenceId = newId();
  const steps = [
    {
      type: "request",
      name: text,
      content: value(text),
      metadata: value({ to: [text] }),
      params: value({ a: text }),
    },
    { type: "llm", event: "end", output: value(text), error: text, modelId: "gpt-4o" },
    { type: "tool", toolInput: value({ mail, lines: `\n${phone}` }), toolOutput: value(JSON.stringify({ mail })) },
    { type: "evaluator", evaluationExplanation: value(text), evaluationLabel: mail },
  ];
  const evals = [
    {
      id: "e",
      definition: { id: "d", name: "n", type: "FACT" },
      status: "COMPLETED",
      message: text,
      results: { text },
    },
  ];
  const metadata = value({ userId: mail, "ems.topic.id": "KD-654321", note: { deep: [text] } });
  const { data } = await ingest.ingestEvents(
    { events: [{ type: "trace", referenceId, metadata, steps, evals }] },
    caller,
  );
  expect(data).toMatchObject([{ success: true }]);
  const { data: trace } = await traces.getTrace({ id: data[0]?.id ?? "" }, caller);
  expect(trace).toMatchObject({ referenceId, user: "[redacted:EMAIL]" });
  expect(
    trace?.steps.map(({ content, output, toolInput, toolOutput, error, name }) => [
      content,
      output,
      toolInput,
      toolOutput,
      error,
      name,
    ]),
  ).toEqual([
    [redactedText, undefined, undefined, undefined, undefined, redactedText],
    [undefined, JSON.stringify({ message: redactedText }), undefined, undefined, redactedText, undefined],
    [
      undefined,
      undefined,
      '{"mail":"[redacted:EMAIL]","lines":"\\n[redacted:PHONE]"}',
      '{"mail":"[redacted:EMAIL]"}',
      undefined,
      undefined,
    ],
    [undefined, undefined, undefined, undefined, undefined, undefined],
  ]);
  expect(
    JSON.stringify(
      await database.sql("SELECT metadata, evals FROM traces.trace WHERE reference_id = $1", [referenceId]),
    ),
  ).toContain("KD-654321");
  // Words are indexed asynchronously, so the test waits.
  await vi.waitFor(async () => expect((await traces.listTraces({ search: "customer" }, caller)).data).toHaveLength(1), {
    timeout: 20_000,
    interval: 50,
  });
  await expectNowhere();
  expect((await traces.listTraces({ search: "jane" }, caller)).data).toEqual([]);
  expect((await traces.listTraces({ user: mail }, caller)).pagination?.total).toBe(1n);
  expect((await traces.listTraces({ user: "[redacted:EMAIL]" }, caller)).pagination?.total).toBe(0n);
  const { found } = await erasures.createErasure({ user: mail, dryRun: true }, caller);
  expect(found).toMatchObject({ traces: 1n, steps: 4n });
});

test("redacted text of OpenTelemetry spans, log records and recorded results is nowhere in the database", async () => {
  await set(rules);
  const traceId = "c".repeat(32);
  const attributes = { "gen_ai.system": "openai", "gen_ai.request.model": "gpt-4o", "user.id": mail, note: text };
  const span = otlpSpan(attributes, { traceId, status: { code: 2, message: text } });
  const record = (name: string, body: unknown): JsonObject => ({
    timeUnixNano: "1772443800000000001",
    traceId,
    spanId: span.spanId ?? "",
    body: anyValue(body),
    attributes: keyValues({ "event.name": name, "gen_ai.system": "openai" }),
  });
  await sendLogs([record("gen_ai.user.message", { content: text })]);
  const payload = Buffer.from(JSON.stringify(request([span], { "host.owner": mail })));
  await otlp.exportTraces({ payload, contentType: "application/json" }, caller);
  await sendLogs([record("gen_ai.choice", { index: 0, message: { role: "assistant", content: text } })]);
  const { data } = await traces.getTrace({ id: traceId }, caller);
  expect(data).toMatchObject({ user: "[redacted:EMAIL]", steps: [{ input: redactedText }] });
  expect((await traces.listTraces({ user: mail }, caller)).data.map(({ id }) => id)).toContain(data?.id);

  const evaluations = [{ definitionId: newId(), passed: true, message: text, results: { notes: [text], n: 1 } }];
  const recorded = await tests.recordResults(
    { run: { title: text }, tests: [{ taskId: newId(), evaluations }] },
    caller,
  );
  const listed = await client(EvaluationService).listEvaluations({ testId: recorded.testIds }, caller);
  expect(listed.data).toMatchObject([{ message: redactedText, results: { notes: [redactedText], n: 1 } }]);
  await expectNowhere();
});

test("redacted text of the answer to a prompt is nowhere in the database", async () => {
  const theirs = testTenant();
  await set(rules, testCall(theirs));
  const of = executions(harness, theirs);
  const [{ id } = { id: "" }] = (await of.trigger()).tests;
  await of.accept(id, JSON.stringify({ output: text, steps: [{ type: "log", content: text }] }));
  const { data } = await traces.getTraceByTest({ id }, testCall(theirs));
  expect(data?.steps.map(({ content }) => content)).toContain(redactedText);
  await expectNowhere();
});

test("redactions change neither other applications' texts nor earlier ones", async () => {
  const [ours, theirs] = [testCall(testTenant()), testCall(testTenant())];
  const send = async (by: typeof caller) => {
    const events = [{ type: "log", content: value("hello a@b.example") }];
    const { data } = await ingest.ingestEvents({ events }, by);
    return (await traces.getTrace({ id: data[0]?.id ?? "" }, by)).data?.steps[0]?.content;
  };
  expect(await send(ours)).toBe("hello a@b.example");
  await set([{ builtIn: BuiltInPattern.EMAIL }] as typeof rules, ours);
  expect(await send(ours)).toBe("hello [redacted:EMAIL]");
  expect(await send(theirs)).toBe("hello a@b.example");
  await set([], ours);
  expect(await send(ours)).toBe("hello a@b.example");
});
