import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { Code, type ConnectError } from "@ems/kit/errors";
import { newId } from "@ems/kit/id";
import { toValue } from "@ems/kit/json/free-value";
import { issuesOfError } from "@ems/kit/json/violations";
import { IngestService } from "@ems/proto/experiments/v1/ingest_service";
import {
  IngestSettingsService,
  UpdateIngestSettingsRequestSchema,
} from "@ems/proto/experiments/v1/ingest_settings_service";
import { OtlpService } from "@ems/proto/experiments/v1/otlp_service";
import { SessionService } from "@ems/proto/experiments/v1/session_service";
import { TraceService } from "@ems/proto/experiments/v1/trace_service";
import { TraceWorkService } from "@ems/proto/traces/v1/trace_work_service";
import { testCall, testTenant } from "@ems/test-support";
import { otlpSpan, request } from "@ems/test-support/otlp";
import { expect, test } from "vitest";
import { tracesHarness } from "../../test/harness.ts";

const { client } = await tracesHarness();
const [otlp, ingest, settings] = [client(OtlpService), client(IngestService), client(IngestSettingsService)];
const [traces, work, sessions] = [client(TraceService), client(TraceWorkService), client(SessionService)];

type Caller = ReturnType<typeof testCall>;

let last = 0;
const nextDigits = () => (++last).toString(16).padStart(32, "c");

async function post(caller: Caller, traceId: string, ...spans: readonly JsonObject[]) {
  const list = spans.map((span) => ({ ...span, traceId }));
  const payload = Buffer.from(JSON.stringify(request(list)));
  await otlp.exportTraces({ payload, contentType: "application/json" }, caller);
  return (await traces.listTraces({ referenceId: traceId }, caller)).data[0];
}

const rootId = "00f067aa0ba902b7";
const payloads = {
  "input.value": '{"turn": {"text": "Which fee?"}}',
  "output.value": '{"final": {"text": "Five euros."}}',
};
const root = otlpSpan({ ...payloads, "app.chat": "chat-1" }, { name: "handle", spanId: rootId });
const retrieval = otlpSpan(
  { "openinference.span.kind": "TOOL", "output.value": '{"hits": [{"body": "Fee: 5"}, {"body": "Fee: 6"}]}' },
  { name: "find", spanId: "00f067aa0ba902b8", parentSpanId: rootId },
);
const paths = {
  question: "root.input.turn.text",
  answer: "step['handle'].output.final.text",
  context: "tool['find'].output.hits[*].body",
};

test("judges read the texts that the application's paths find, else those of the rules", async () => {
  const caller = testCall(testTenant());
  const trace = await post(caller, nextDigits(), root, retrieval);
  const read = () => work.getJudgeTexts({ traceId: trace?.id ?? "", needsQuestion: true }, caller);
  expect(await read()).toMatchObject({ hasRetriever: false, context: [] });
  await settings.updateIngestSettings({ redactions: [], ...paths }, caller);
  expect((await settings.getIngestSettings({}, caller)).data).toMatchObject(paths);
  expect(await read()).toMatchObject({
    question: "Which fee?",
    output: "Five euros.",
    context: ["Fee: 5", "Fee: 6"],
    hasRetriever: true,
  });
  const { data: found } = await traces.getTrace({ id: trace?.id ?? "" }, caller);
  expect(found).toMatchObject({ question: "Which fee?", answer: "Five euros." });
  await settings.updateIngestSettings({ redactions: [], question: "llm.input.missing" }, caller);
  const { data } = await settings.getIngestSettings({}, caller);
  expect([data?.question, data?.answer]).toEqual(["llm.input.missing", undefined]);
  expect((await read()).question).toContain("Which fee?");
});

test("a list of messages gives the last text of its role, and positions count by time", async () => {
  const caller = testCall(testTenant());
  const traceId = newId();
  const model = { type: "llm", event: "end", traceId, modelId: "m" };
  const step = (name: string, second: number, input: JsonValue, output: JsonValue) => ({
    ...model,
    name,
    timestamp: timestampFromDate(new Date(second * 1_000)),
    input: toValue(input),
    output: toValue(output),
  });
  const chat = (...texts: string[]) => ({
    list: texts.map((content, at) => ({ role: at % 2 ? "assistant" : "user", content })),
  });
  const { data } = await ingest.ingestEvents(
    {
      events: [
        step("b", 1_790_000_002, chat("One", "Two", "Three"), { say: "b" }),
        step("a", 1_790_000_001, chat("Zero"), { say: "a" }),
      ],
    },
    caller,
  );
  expect(data.map(({ error }) => error)).toEqual([undefined, undefined]);
  const test = async (tried: Partial<Record<"question" | "answer", string>>) =>
    (await traces.testTracePaths({ id: traceId, ...tried }, caller)).data;
  expect(await test({ question: "llm[-1].input.list", answer: "llm[0].output.say" })).toMatchObject({
    question: { values: ["Three"] },
    answer: { values: ["a"] },
  });
  expect(await test({ question: "llm[2].input", answer: "llm['b'].output.nothing" })).toMatchObject({
    question: { values: [], reason: "The trace has no such step: llm[2]" },
    answer: { values: [], reason: 'Nothing at ["nothing"] in output' },
  });
});

test("paths are tried on a trace of the application, with the stored ones by default", async () => {
  const caller = testCall(testTenant());
  const trace = await post(caller, nextDigits(), root, retrieval);
  const id = trace?.id ?? "";
  expect((await traces.testTracePaths({ id }, caller)).data?.question).toBeUndefined();
  await settings.updateIngestSettings({ redactions: [], ...paths }, caller);
  const { data } = await traces.testTracePaths({ id }, caller);
  expect(data?.context).toMatchObject({
    path: paths.context,
    values: ["Fee: 5", "Fee: 6"],
    stepId: trace?.steps[1]?.id,
  });
  expect(data?.session).toBeUndefined();
  const tried = await traces.testTracePaths(
    { id, session: "trace.metadata['service.name'].x", user: "step.name" },
    caller,
  );
  expect(tried.data).toMatchObject({ session: { values: [] }, user: { values: ["handle"] } });
  expect(tried.data?.question).toBeUndefined();
  await expect(traces.testTracePaths({ id }, testCall(testTenant()))).rejects.toMatchObject({ code: Code.NotFound });
  await expect(traces.testTracePaths({ id, user: "llm[0].name" }, caller)).rejects.toThrow("Invalid request data");
});

test("faults of redactions, paths and noise rules are reported together", async () => {
  const caller = testCall(testTenant());
  const request = {
    redactions: [{ name: "a", pattern: "(" }],
    question: "nowhere",
    noise: [{ keep: false }, { keep: false, name: "a", value: "b" }],
  };
  const refused = settings
    .updateIngestSettings(request, caller)
    .catch((error: ConnectError) =>
      issuesOfError(error, UpdateIngestSettingsRequestSchema).map(({ path }) => path.join(".")),
    );
  await expect(refused).resolves.toEqual(["redactions.0.pattern", "question", "noise.0", "noise.1.value"]);
});

test("session and user come from the application's paths in any order of arrival, redacted, with their original keys", async () => {
  const caller = testCall(testTenant());
  const before = await post(caller, nextDigits(), otlpSpan({ "session.id": "meta" }));
  expect(before).toMatchObject({ session: "meta" });
  await settings.updateIngestSettings(
    {
      redactions: [{ name: "mail", pattern: "\\w+@\\w+" }],
      session: "step.metadata['app.chat']",
      user: "trace.metadata.customer.mail",
    },
    caller,
  );
  const digits = nextDigits();
  const child = otlpSpan({ "session.id": "meta-2" }, { spanId: "00f067aa0ba902b9", parentSpanId: rootId });
  expect(await post(caller, digits, child)).toMatchObject({ session: "meta-2" });
  expect(await post(caller, digits, root)).toMatchObject({ session: "chat-1" });
  const late = otlpSpan({ "app.chat": "late" }, { spanId: "00f067aa0ba902c1" });
  expect(await post(caller, digits, late)).toMatchObject({ session: "chat-1" });
  const listed = (await sessions.listSessions({}, caller)).data.map(({ externalId }) => externalId);
  expect(listed.toSorted()).toEqual(["chat-1", "meta"]);
  const traceId = newId();
  const metadata = toValue({ session: "s", customer: { mail: "ada@example" } });
  await ingest.ingestEvents({ events: [{ type: "trace", traceId, metadata }] }, caller);
  expect((await traces.listTraces({ user: "ada@example" }, caller)).data).toMatchObject([
    { id: traceId, session: "s" },
  ]);
  const { data } = await sessions.listSessions({ externalId: "s" }, caller);
  expect(data[0]?.users).toEqual(["[redacted:mail]"]);
});

test("stored traces get the session and the user of later paths, are counted first, and lose them with the paths", async () => {
  const caller = testCall(testTenant());
  const shop = { "app.chat": "chat-9", "app.buyer": "bo@example", "session.id": "meta", "user.id": "u" };
  const first = await post(caller, nextDigits(), otlpSpan(shop));
  const second = await post(caller, nextDigits(), otlpSpan({ "session.id": "meta" }));
  const range = {
    startDate: timestampFromDate(new Date(0)),
    endDate: timestampFromDate(new Date(Date.now() + 60_000)),
  };
  const reread = async (more: { dryRun?: boolean; cursor?: string } = {}) =>
    (await settings.rereadTraces({ ...range, ...more }, caller)).data;
  const read = async () => {
    const { data } = await sessions.listSessions({}, caller);
    return data.map(({ externalId, ...session }) => [externalId, Number(session.turns), session.users]).toSorted();
  };
  const before = [["meta", 2, ["u"]]];
  expect(await reread()).toMatchObject({ traces: 2n, changedSessions: 0n, changedUsers: 0n });
  const ids = { session: "step.metadata['app.chat']", user: "step.metadata['app.buyer']" };
  await settings.updateIngestSettings({ redactions: [], ...ids }, caller);
  const counts = { traces: 2n, changedSessions: 1n, changedUsers: 1n, redactedTraces: 0n, archivedTraces: 0n };
  expect(await reread({ dryRun: true })).toMatchObject(counts);
  expect(await read()).toEqual(before);
  const done = await reread();
  expect(done).toMatchObject(counts);
  expect(await reread({ cursor: done?.cursor ?? "" })).toMatchObject({ traces: 0n });
  const after = [
    ["chat-9", 1, ["bo@example"]],
    ["meta", 1, []],
  ];
  expect(await read()).toEqual(after);
  expect((await traces.listTraces({ user: "bo@example" }, caller)).data.map(({ id }) => id)).toEqual([first?.id]);
  expect(await reread()).toMatchObject({ changedSessions: 0n, changedUsers: 0n });
  // A later trace whose user is redacted keeps it, with the key of the original.
  await settings.updateIngestSettings({ redactions: [{ name: "mail", pattern: "\\w+@\\w+" }], ...ids }, caller);
  const third = await post(caller, nextDigits(), otlpSpan({ "app.buyer": "cy@example" }));
  expect(await reread()).toMatchObject({ changedSessions: 0n, changedUsers: 0n, redactedTraces: 1n });
  expect((await traces.listTraces({ user: "cy@example" }, caller)).data.map(({ id }) => id)).toEqual([third?.id]);
  await settings.updateIngestSettings({ redactions: [] }, caller);
  expect(await reread()).toMatchObject({ changedSessions: 1n, changedUsers: 2n });
  expect(await read()).toEqual(before);
  expect(second).toBeDefined();
});

test("an application's session replaces the conversation of its framework, also in a later request", async () => {
  const caller = testCall(testTenant());
  const digits = nextDigits();
  expect(await post(caller, digits, otlpSpan({ "gen_ai.conversation.id": "run-1" }))).toMatchObject({
    session: "run-1",
  });
  expect(await post(caller, digits, otlpSpan({ "session.id": "chat-1" }))).toMatchObject({ session: "chat-1" });
  expect((await sessions.listSessions({}, caller)).data.map(({ externalId }) => externalId)).toEqual(["chat-1"]);
});
