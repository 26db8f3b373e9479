import { keyValues, otlpSpan, request } from "@ems/test-support/otlp";
import { expect, test } from "vitest";
import { newTenant } from "../harness/tenant.ts";

const { api } = await newTenant();

const turn = JSON.stringify({ turn: { text: "How do I close my account?" } });
const reply = JSON.stringify({ parts: [{ say: "In Settings." }] });
const send = async (traceId: string, ...spans: object[]) => {
  const sent = request(spans.map((span) => ({ ...span, traceId })));
  return (await api.post("/v0/otel/traces", sent)).body;
};
const find = async (traceId: string) => (await api.get(`/v0/traces?referenceId=${traceId}`)).body.data[0];
const paths = {
  question: "root.input.turn.text",
  answer: "step['handle'].output.parts[-1].say",
  session: "step.metadata['app.talk']",
};

test("a team says where its question, answer and session are, after it has tried it on a trace", async () => {
  const attributes = { "input.value": turn, "output.value": reply, "app.talk": "talk-1" };
  await send("a".repeat(32), otlpSpan(attributes, { name: "handle" }));
  const { id, session } = await find("a".repeat(32));
  expect(session).toBeNull();
  const tried = await api.post(`/v0/traces/${id}/test-paths`, { ...paths, context: "retriever.output" });
  expect(tried.body.data).toMatchObject({
    question: { path: paths.question, values: ["How do I close my account?"], reason: null },
    answer: { values: ["In Settings."] },
    context: { values: [], stepId: null, reason: "The trace has no such step: retriever" },
    session: { values: ["talk-1"] },
    user: null,
  });
  const set = await api.send("PUT", "/v0/ingest-settings", { json: { redactions: [], ...paths } });
  expect(set.body.data).toMatchObject({ ...paths, context: null, user: null, noise: [] });
  const task = await api.post("/v0/tasks/from-trace", { traceId: id });
  expect(task.body.task).toMatchObject({
    title: "How do I close my account?",
    description: expect.stringContaining("In Settings."),
  });
  const range = { startDate: "2020-01-01T00:00:00Z", endDate: new Date(Date.now() + 60_000).toISOString() };
  const { body } = await api.post("/v0/ingest-settings/reread", range);
  expect(body.data).toMatchObject({ traces: 1, changedSessions: 1, changedUsers: 0, archivedTraces: 0 });
  expect(await find("a".repeat(32))).toMatchObject({ session: "talk-1" });
});

test("invalid paths and rules are refused with their fields", async () => {
  const json = { redactions: [], question: "$.root", user: "llm[0].name", noise: [{ keep: false }, { name: "a" }] };
  const { status, body } = await api.send("PUT", "/v0/ingest-settings", { json });
  expect([status, body.issues.map(({ path }: { path: unknown[] }) => path.join("."))]).toEqual([400, ["noise.1.keep"]]);
  json.noise = [{ keep: false }];
  const refused = await api.send("PUT", "/v0/ingest-settings", { json });
  expect(refused.body.issues).toMatchObject([{ path: ["question"] }, { path: ["user"] }, { path: ["noise", "0"] }]);
  const tried = await api.post(`/v0/traces/${"a".repeat(32)}/test-paths`, { answer: "root" });
  expect([tried.status, tried.body.issues[0].path]).toEqual([400, ["answer"]]);
});

test("spans that a rule drops are counted in the answer", async () => {
  const noise = [{ attribute: "url.path", value: "/status*", keep: false }];
  await api.send("PUT", "/v0/ingest-settings", { json: { redactions: [], noise } });
  const probe = otlpSpan({}, { attributes: keyValues({ "url.path": "/status/deep" }) });
  expect((await send("b".repeat(32), probe)).partialSuccess.errorMessage).toContain("1 dropped by the noise rules");
  expect(await find("b".repeat(32))).toBeUndefined();
});
