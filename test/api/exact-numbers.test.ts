// Numbers that a double cannot hold keep their digits: requests and answers are read as text, since JSON.parse would
// round them.

import { request as httpRequest } from "node:http";
import { text } from "node:stream/consumers";
import { newId } from "@ems/kit/id";
import { parseJson } from "@ems/kit/json/exact-number";
import fc from "fast-check";
import { describe, expect, inject, test } from "vitest";
import { emsAs } from "../harness/cli.ts";
import { nowhere } from "../harness/names.ts";
import { newTenant } from "../harness/tenant.ts";

const { api, apiKey, applicationId } = await newTenant();
const { baseUrl, grpcUrl } = inject("product");

/** Sends the bytes of `body` by Node's own client. */
async function send(method: string, path: string, body?: string, base = baseUrl): Promise<string> {
  const headers = {
    "x-api-key": apiKey,
    "x-application-id": applicationId,
    ...(body !== undefined && { "content-type": "application/json" }),
  };
  const sent = httpRequest(new URL(path, base), { method, headers });
  sent.end(body);
  const [status, answer] = await new Promise<[number | undefined, string]>((resolve, reject) => {
    sent.on("error", reject);
    sent.on("response", async (response) => resolve([response.statusCode, await text(response)]));
  });
  expect([status, answer]).toEqual([expect.toSatisfy((code) => code < 300), expect.any(String)]);
  return answer;
}

/** With names in the order in which `jsonb` returns them. */
const ids =
  '{"n":18446744073709551615,"id":9054686819491029395,"list":[{"orderId":1983516295378495150},0.12345678901234567891]}';

describe("traces", () => {
  test("metadata, parameters, inputs and outputs have the digits that came, and so has a copy of the answer", async () => {
    const traceId = newId();
    const payloads = `"input":${ids},"output":${ids},"metadata":${ids},"params":${ids}`;
    const tool = `{"type":"tool","toolInput":${ids},"toolOutput":9054686819491029395}`;
    const steps = `[{"type":"llm",${payloads}},${tool}]`;
    await send(
      "POST",
      "/v0/ingest",
      `{"events":[{"type":"trace","traceId":"${traceId}","metadata":${ids},"steps":${steps}}]}`,
    );
    const answer = await send("GET", `/v0/traces/${traceId}`);
    expect(answer.split(ids)).toHaveLength(4);
    const quoted = JSON.stringify(ids);
    expect(answer).toContain(`"input":${quoted}`);
    expect(answer).toContain(`"output":${quoted}`);
    expect(answer).toContain(`"toolInput":${quoted}`);
    expect(answer).toContain('"toolOutput":"9054686819491029395"');
    expect(await send("GET", "/v0/traces?limit=1")).toContain(`"metadata":${ids}`);
  });

  test("metadata in a text is read alike", async () => {
    const traceId = newId();
    const event = { type: "trace", traceId, metadata: ids };
    await send("POST", "/v0/ingest", JSON.stringify({ events: [event] }));
    expect(await send("GET", `/v0/traces/${traceId}`)).toContain(`"metadata":${ids}`);
  });

  test("a filter finds the true id and no neighbor", async () => {
    const [id, neighbor] = ["1983516295378495150", "1983516295378495151"];
    for (const each of [id, neighbor])
      await send("POST", "/v0/ingest", `{"events":[{"type":"trace","metadata":{"orderId":${each}}}]}`);
    const find = async (value: string) => {
      const { data } = (await api.get(`/v0/traces?metadataKey=orderId&metadataValue=${value}`)).body;
      return data.length;
    };
    expect([await find(id), await find(neighbor), await find("1983516295378495200")]).toEqual([1, 1, 0]);
  });

  test("the user of a trace may be such a number", async () => {
    await send("POST", "/v0/ingest", '{"events":[{"type":"trace","metadata":{"userId":9054686819491029395}}]}');
    const { data } = (await api.get("/v0/traces?user=9054686819491029395")).body;
    expect(data).toHaveLength(1);
  });

  test("JSON in a text attribute of OpenTelemetry, and integers of its JSON", async () => {
    const span = (attributes: string) =>
      `{"resourceSpans":[{"scopeSpans":[{"spans":[{"traceId":"5b8efff798038103d269b633813fc60c","spanId":"eee19b7ec3c1b174",
        "startTimeUnixNano":"1544712660000000000","endTimeUnixNano":1544712660000000001,"attributes":[${attributes}]}]}]}]}`;
    const inText = `{"key":"order","value":{"stringValue":${JSON.stringify(ids)}}}`;
    const integer = '{"key":"big","value":{"intValue":9054686819491029395}}';
    await send("POST", "/v0/otel/traces", span(`${inText},${integer}`));
    const answer = await send("GET", "/v0/traces?startDate=2018-12-13&endDate=2018-12-14");
    expect(answer).toContain(`"order":${JSON.stringify(ids)}`);
    expect(answer).toContain('"big":"9054686819491029395"');
  });
});

describe("the catalog", () => {
  test("a task's metadata: created, read, listed, changed, over REST and Connect's JSON, and exported by the CLI", async () => {
    const created = await send("POST", "/v0/tasks", `{"title":"t","description":"d","metadata":${ids}}`);
    expect(created).toContain(`"metadata":${ids}`);
    const { id } = JSON.parse(created).task;
    expect(await send("GET", `/v0/tasks/${id}`)).toContain(`"metadata":${ids}`);
    expect(await send("GET", "/v0/tasks")).toContain(`"metadata":${ids}`);
    const changed = '{"id":9007199254740993}';
    expect(await send("PUT", `/v0/tasks/${id}`, `{"metadata":${changed}}`)).toContain(`"metadata":${changed}`);

    const service = "/ems.catalog.v1.TaskService";
    const made = await send(
      "POST",
      `${service}/CreateTask`,
      `{"title":"t","description":"d","metadata":${ids}}`,
      grpcUrl,
    );
    expect(made).toContain(`"metadata":${ids}`);
    const read = await send("POST", `${service}/GetTask`, JSON.stringify({ id }), grpcUrl);
    expect(read).toContain(`"metadata":${changed}`);

    const ems = emsAs({ baseUrl, apiKey, applicationId });
    const { code, stdout, stderr } = await ems(["export"]);
    expect([code, stderr]).toEqual([0, expect.any(String)]);
    expect(stdout).toContain(`"metadata":${ids}`);
    const copy = await newTenant();
    const copied = emsAs({ baseUrl, ...copy });
    expect(await copied(["import"], { stdin: stdout })).toMatchObject({ code: 0, stderr: expect.any(String) });
    expect((await copied(["export"])).stdout).toContain(`"metadata":${ids}`);
  });

  test("tasks are imported with the digits of JSON Lines", async () => {
    const line = `{"title":"Imported","prompt":"Why?","metadata":${ids}}`;
    await send("POST", "/v0/tasks/import", JSON.stringify({ format: "JSONL", content: line }));
    expect(await send("GET", "/v0/tasks?limit=100")).toContain(`"metadata":${ids}`);
  });

  test("a document's metadata", async () => {
    const created = await send("POST", "/v0/documents", `{"title":"t","content":"c","metadata":${ids}}`);
    expect(created).toContain(`"metadata":${ids}`);
  });

  test("the audit log shows the digits of a change", async () => {
    const log = await send("GET", "/v0/audit-log?limit=50");
    expect(log).toContain("9054686819491029395");
  });
});

test("results of evaluations, of tests and events to the webhook", async () => {
  await api.post("/v0/webhook", { url: nowhere });
  const taskId = (await api.post("/v0/tasks", { title: "t", description: "d" })).body.task.id;
  const definitionId = (await api.post("/v0/definitions", { type: "NATURALNESS", name: newId() })).body.data.id;
  const evaluation = `{"definitionId":"${definitionId}","score":1,"passed":true,"results":${ids}}`;
  const recorded = await send(
    "POST",
    "/v0/tests/results",
    `{"run":{"type":"MONITORING"},"tests":[{"taskId":"${taskId}","evaluations":[${evaluation}]}]}`,
  );
  const [testId] = JSON.parse(recorded).testIds;
  expect(await send("GET", `/v0/tests/${testId}`)).toContain(`"results":${ids}`);
  const created = await send("POST", "/v0/tasks", `{"title":"t","description":"d","metadata":${ids}}`);
  const { id } = JSON.parse(created).task;
  await send("POST", `/v0/tasks/${id}/archive`);
  await expect.poll(async () => (await api.get("/v0/webhook/deliveries?type=task.archived")).body.data.length).toBe(1);
  const [delivery] = (await api.get("/v0/webhook/deliveries?type=task.archived")).body.data;
  expect(await send("GET", `/v0/webhook/deliveries/${delivery.id}`)).toContain(`"metadata":${ids}`);
});

test("small scores are kept", async () => {
  const taskId = (await api.post("/v0/tasks", { title: "t", description: "d" })).body.task.id;
  const definitionId = (await api.post("/v0/definitions", { type: "FACT", name: newId() })).body.data.id;
  const scores = [0.0000001, 0.01234567890123, 1e-12, 0.25, 0];
  const evaluations = (score: number) => [{ definitionId, score, passed: true }];
  const tests = scores.map((score) => ({ taskId, score, evaluations: evaluations(score) }));
  const { body } = await api.post("/v0/tests/results", { tests });
  for (const [index, id] of body.testIds.entries()) {
    const { test: read } = (await api.get(`/v0/tests/${id}`)).body;
    expect([read.score, read.evals[0].score]).toEqual([scores[index], scores[index]]);
  }
  const { data } = (await api.get(`/v0/tests?runId=${body.run.id}`)).body;
  expect(data.map(({ score }: { score: number }) => score).sort()).toEqual(scores.toSorted());
});

test("the value of any JSON is that which came", async () => {
  const digits = fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }).map(String);
  const decimal = fc.tuple(digits, fc.stringMatching(/^\d{1,20}[1-9]$/)).map(([whole, part]) => `${whole}.${part}`);
  const json = fc.letrec<{ any: string }>((tie) => ({
    any: fc.oneof(
      { maxDepth: 3 },
      digits,
      decimal,
      fc.constantFrom("null", "true", '"9054686819491029395"'),
      fc.array(tie("any"), { maxLength: 3 }).map((items) => `[${items.join(",")}]`),
      fc
        .array(tie("any"), { maxLength: 3 })
        .map((items) => `{${items.map((item, at) => `"k${at}":${item}`).join(",")}}`),
    ),
  })).any;
  await fc.assert(
    fc.asyncProperty(json, async (value) => {
      const created = await send("POST", "/v0/tasks", `{"title":"t","description":"d","metadata":{"value":${value}}}`);
      const { id } = JSON.parse(created).task;
      const read = await send("GET", `/v0/tasks/${id}`);
      // Numbers that a double holds may have another spelling, such as 1e+20.
      const metadata = JSON.stringify(parseJson(`{"value":${value}}`));
      for (const answer of [created, read]) expect(answer).toContain(`"metadata":${metadata}`);
    }),
    { numRuns: 25 },
  );
});

test("numbers of the API's own fields are numbers as before, and what no double can be is refused by its path", async () => {
  const body = '{"title":"t","description":"d","metadata":{"a":[1e999]}}';
  expect((await api.send("POST", "/v0/tasks", { raw: body })).body.issues).toMatchObject([
    { path: ["metadata", "a", "0"], message: "Expected JSON, received infinity" },
  ]);
  const long = `{"title":"t","description":"d","metadata":{"a":${"9".repeat(400)}}}`;
  expect((await api.send("POST", "/v0/tasks", { raw: long })).status).toBe(400);
  const repeat = await api.send("POST", "/v0/tasks/trigger", { raw: '{"taskIds":[],"repeat":9054686819491029395}' });
  expect(repeat.body.issues).toContainEqual(expect.objectContaining({ path: ["repeat"], code: "too_big" }));
  const text = await api.send("POST", "/v0/tasks", { raw: '{"title":9054686819491029395,"description":"d"}' });
  expect(text.body.issues).toMatchObject([{ path: ["title"], message: "Expected string, received number" }]);
});
