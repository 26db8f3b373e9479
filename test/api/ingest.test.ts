import { newId } from "@ems/kit/id";
import { describe, expect, test } from "vitest";
import { newTenant } from "../harness/tenant.ts";

const { api, apiKey, applicationId } = await newTenant();
const ingest = (events: unknown) => api.post("/v0/ingest", { events });
const stored = async (query = "") => (await api.get(`/v0/traces${query}`)).body.pagination.total;

describe("POST /v0/ingest", () => {
  test("answers a result for each event, in their order; id and error are null where there is none", async () => {
    const traceId = newId();
    const { status, body } = await ingest([
      { type: "trace", traceId, steps: [{ type: "llm", steps: [{ type: "tool" }] }] },
      { type: "log", traceId, content: "added" },
      { type: "log", content: "a trace of its own" },
    ]);
    expect(status).toBe(200);
    expect(body).toEqual({
      data: [
        { success: true, id: traceId, error: null },
        { success: true, id: null, error: null },
        { success: true, id: expect.stringMatching(/^[0-9a-f-]{36}$/), error: null },
      ],
    });
  });

  test("takes 1-1000 events", async () => {
    const events = (count: number) => Array.from({ length: count }, () => ({ type: "trace", referenceId: "many" }));
    for (const [count, code] of [
      [0, "too_small"],
      [1001, "too_big"],
    ] as const) {
      const { status, body } = await ingest(events(count));
      expect([status, body.issues]).toEqual([400, [expect.objectContaining({ code, path: ["events"] })]]);
    }
    const { status, body } = await ingest(events(1000));
    expect([status, body.data.filter(({ success }: { success: boolean }) => success).length]).toEqual([200, 1000]);
    expect(await stored("?referenceId=many")).toBe(1000);
  });

  test("a bad event fails alone, with an error that names its fields", async () => {
    const before = await stored();
    const { status, body } = await ingest([
      { type: "trace" },
      { type: "span", color: "red", traceId: "x", durationMs: "1" },
      { type: "trace", testId: 1, timestamp: "now", steps: [{ steps: [{ type: "trace" }] }] },
      { type: "llm", event: "stop", usage: { promptTokens: -1 }, rejected: "x" },
      "event",
      null,
      {},
      { type: "log" },
    ]);
    expect(status).toBe(200);
    const errors = body.data.map(({ error }: { error: string | null }) => error);
    expect(errors).toEqual([
      null,
      expect.stringMatching(/^color: Unrecognized key.*; durationMs: Expected number, received string$/),
      expect.stringMatching(/^testId: .*; timestamp: Invalid datetime; steps.0.type: Required/),
      expect.stringMatching(/^rejected: Unrecognized key/),
      "Expected object, received string",
      "Expected object, received null",
      "type: Required",
      null,
    ]);
    const [broken] = (await ingest([{ type: "llm", event: "stop", usage: { promptTokens: -1 } }])).body.data;
    expect(broken.error).toMatch(/event: Invalid enum value.*usage.promptTokens: Number must be greater/);
    expect(await stored()).toBe(before + 2);
  });

  test.each([{}, { events: null }, { events: "x" }, { events: {} }, { events: [], more: 1 }, []])(
    "a body without a list of events is refused: %j",
    async (json) => {
      expect((await api.post("/v0/ingest", json)).status).toBe(400);
    },
  );

  test("timestamps are instants or milliseconds, and null is not given", async () => {
    const step = { type: "log", content: "c", timestamp: 1_772_443_801_000, endTime: "2026-03-02T10:30:02.5+01:00" };
    const nulls = { name: null, parentId: null, metadata: null, error: null, costAmount: null, usage: null };
    const event = {
      type: "trace",
      timestamp: 1_772_443_800_000,
      testId: null,
      evals: null,
      steps: [{ ...nulls, ...step }],
    };
    const { body } = await ingest([event]);
    const { data } = (await api.get(`/v0/traces/${body.data[0].id}`)).body;
    expect(data).toMatchObject({ timestamp: "2026-03-02T09:30:00.000Z", totalDurationMs: 1500 });
    expect(data.steps[0]).toEqual({
      id: expect.any(String),
      traceId: data.id,
      type: "log",
      status: "success",
      content: "c",
      timestamp: "2026-03-02T09:30:01.000Z",
      endTime: "2026-03-02T09:30:02.500Z",
    });
  });

  test("milliseconds may be a text; a number in another unit is an error that names it", async () => {
    const at = (timestamp: unknown, more = {}) => ({ type: "trace", timestamp, ...more });
    const { body } = await ingest([
      at("1687802842609"),
      at(1_795_600_000),
      at("1795600000"),
      at(1_795_600_000_000_000),
      at(undefined, { steps: [{ type: "log", endTime: 1_795_600_000_000_000_000 }] }),
    ]);
    const [text, ...wrong] = body.data as { id: string; error: string }[];
    expect((await api.get(`/v0/traces/${text?.id}`)).body.data.timestamp).toBe("2023-06-26T18:07:22.609Z");
    const expected = "Expected milliseconds since 1970, or ISO 8601:";
    expect(wrong.map(({ error }) => error)).toEqual([
      `timestamp: ${expected} 1795600000 looks like seconds`,
      `timestamp: ${expected} 1795600000 looks like seconds`,
      `timestamp: ${expected} 1795600000000000 looks like microseconds`,
      `steps.0.endTime: ${expected} 1795600000000000000 looks like nanoseconds`,
    ]);
  });

  test("durations are whole milliseconds and whole microseconds", async () => {
    const start = "2026-03-02T09:30:00.0001Z";
    const steps = [
      { type: "tool", timestamp: start, durationMs: 0.4 },
      { type: "tool", timestamp: start, durationMs: 1.6504 },
    ];
    const { body } = await ingest([
      { type: "trace", steps },
      { type: "trace", totalDurationMs: 0.25, steps },
    ]);
    const [measured, stated] = await Promise.all(
      body.data.map(async ({ id }: { id: string }) => (await api.get(`/v0/traces/${id}`)).body.data),
    );
    expect(measured.steps).toMatchObject([
      { durationMs: 0, durationUs: 400 },
      { durationMs: 2, durationUs: 1_650 },
    ]);
    expect(measured).toMatchObject({ durationUs: 1_650 });
    expect(stated).toMatchObject({ totalDurationMs: 0, durationUs: 250 });
  });

  test("characters that cannot be stored cost no event: they are replaced and counted", async () => {
    const traceId = newId();
    const bad = "a\0\ud800";
    const step = { type: "llm", id: bad, parentId: bad, name: bad, modelId: bad, input: bad, output: { [bad]: [bad] } };
    const json = { type: "tool", toolInput: JSON.stringify({ text: bad }), metadata: JSON.stringify({ text: bad }) };
    const trace = { type: "trace", traceId, referenceId: bad, metadata: { [bad]: bad } };
    const { body } = await ingest([
      { ...trace, steps: [step, json] },
      { type: "log", content: "good" },
    ]);
    expect(body.data.map(({ error }: { error: string | null }) => error)).toEqual([null, null]);
    const { data } = (await api.get(`/v0/traces/${traceId}`)).body;
    const good = "a\ufffd\ufffd";
    expect(data).toMatchObject({ referenceId: good, metadata: { [good]: good } });
    expect(data.replacedCharacters).toBeGreaterThan(10);
    const [first, second] = data.steps;
    expect(first).toMatchObject({ id: good, name: good, modelId: good });
    expect(JSON.stringify([first, second])).not.toMatch(/\\u0000|\\ud800/);
    // Text of clients is rejected instead.
    const filter = await api.get("/v0/traces?metadataKey=a&metadataValue=%00");
    expect([filter.status, filter.body.issues]).toMatchObject([400, [{ path: ["metadataValue"] }]]);
    const title = await api.post("/v0/topics", { title: bad });
    expect([title.status, title.body.issues]).toMatchObject([400, [{ path: ["title"] }]]);
  });

  test("is repeatable: what is stored already changes nothing", async () => {
    const traceId = newId();
    const events = [
      { type: "trace", traceId, steps: [{ type: "llm", tokens: { input: 1 } }] },
      { type: "llm", traceId, id: newId(), tokens: { input: 2 } },
    ];
    const first = await ingest(events);
    expect((await ingest(events)).body).toEqual(first.body);
    const { data } = (await api.get(`/v0/traces/${first.body.data[0].id}`)).body;
    expect([data.steps.length, data.tokens]).toEqual([
      2,
      { input: 3, output: 0, cachedInput: 0, cacheWrite: 0, reasoning: 0 },
    ]);
  });
});

describe("POST /v0/otel/traces", () => {
  const send = (json: unknown) => api.post("/v0/otel/traces", json);
  const span = {
    traceId: "5b8efff798038103d269b633813fc60c",
    spanId: "eee19b7ec3c1b174",
    startTimeUnixNano: "1544712660000000000",
  };
  const exported = (...spans: unknown[]) => ({
    resourceSpans: [
      {
        resource: {
          attributes: [{ key: "service.name", value: { stringValue: "my.service" } }],
          droppedAttributesCount: 0,
        },
        scopeSpans: [{ scope: { name: "my.library", version: "1.0.0" }, spans, schemaUrl: "https://example.com" }],
        schemaUrl: "https://example.com",
      },
    ],
  });

  test("stores what an OpenTelemetry exporter sends, fields unknown here included", async () => {
    const chat = {
      ...span,
      parentSpanId: "eee19b7ec3c1b173",
      name: "chat gpt",
      kind: 3,
      flags: 256,
      endTimeUnixNano: "1544712661500000000",
      droppedAttributesCount: 0,
      links: [],
      status: {},
      somethingNew: { nested: [1] },
      attributes: [
        { key: "gen_ai.operation.name", value: { stringValue: "chat" } },
        { key: "gen_ai.request.model", value: { stringValue: "gpt" } },
        { key: "gen_ai.usage.input_tokens", value: { intValue: "11" } },
        { key: "gen_ai.usage.output_tokens", value: { intValue: 7 } },
        { key: "gen_ai.input.messages", value: { stringValue: '[{"role":"user"}]' } },
      ],
    };
    // Children arrive before their parents, which end later.
    for (const each of [chat, { ...span, spanId: "eee19b7ec3c1b173", name: "agent" }]) {
      const { status, body } = await send(exported(each));
      expect([status, body]).toEqual([200, {}]);
    }
    const list = (await api.get(`/v0/traces?referenceId=${span.traceId}`)).body;
    expect(list.data).toMatchObject([{ type: "group", tokens: { input: 11, output: 7 }, referenceId: span.traceId }]);
    const { data } = (await api.get(`/v0/traces/${list.data[0].id}`)).body;
    expect(data).toMatchObject({
      metadata: { "service.name": "my.service" },
      timestamp: "2018-12-13T14:51:00.000Z",
      steps: [
        { name: "chat gpt", type: "llm", parentId: data.steps[1].id, durationMs: 1500, status: "success" },
        { name: "agent", type: "group", metadata: { "otel.scope.name": "my.library" } },
      ],
    });
  });

  test("counts the spans that it cannot store in partialSuccess", async () => {
    const { status, body } = await send(exported({ ...span, spanId: "1" }, { ...span, spanId: "00000000000000aa" }));
    expect([status, body]).toEqual([
      200,
      { partialSuccess: { rejectedSpans: 1, errorMessage: "spanId must be 16 hexadecimal digits, not all zero" } },
    ]);
  });

  test("an empty export is answered with an empty object", async () => {
    for (const json of [{}, { resourceSpans: [] }, undefined]) {
      const { status, body } = await send(json);
      expect([status, body]).toEqual([200, {}]);
    }
  });

  test("a body of a million values is read, and one of 16 MiB; one more is 413", async () => {
    // Its list, its object and the root count as values, too.
    const numbers = (length: number) => ({ a: Array.from({ length }, () => 1) });
    const text = (length: number) => ({ a: "x".repeat(length - '{"a":""}'.length) });
    for (const unused of [numbers(999_998), text(16 * 1024 * 1024)]) {
      const { status, body } = await send(unused);
      expect([status, body]).toEqual([200, {}]);
    }
    for (const [unused, message] of [
      [numbers(999_999), "The request body has more than 1000000 values. Send it as several requests"],
      [text(16 * 1024 * 1024 + 1), "The request body is larger than 16 MiB"],
    ]) {
      const { status, body } = await send(unused);
      expect([status, body]).toEqual([413, { message }]);
    }
  });

  test("what is no JSON, of another type or not authentic is refused like everywhere", async () => {
    expect((await api.send("POST", "/v0/otel/traces", { raw: "{" })).status).toBe(400);
    const deep = `${"[".repeat(33)}${"]".repeat(33)}`;
    expect((await api.send("POST", "/v0/otel/traces", { raw: deep })).body.issues[0].code).toBe("invalid_json");
    const text = { raw: "x", headers: { "content-type": "text/plain" } };
    const { status, body } = await api.send("POST", "/v0/otel/traces", text);
    expect([status, body.message]).toEqual([
      415,
      "The request body must be application/json or application/x-protobuf in UTF-8, uncompressed or gzip",
    ]);
    const other = api.as({ apiKey: `${apiKey}x`, applicationId });
    expect((await other.post("/v0/otel/traces", exported(span))).status).toBe(401);
  });
});
