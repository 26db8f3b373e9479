import { newId } from "@ems/kit/id";
import { beforeAll, describe, expect, test } from "vitest";
import { newTenant } from "../harness/tenant.ts";

const { api, applicationId } = await newTenant();
const ingest = async (...events: unknown[]) => (await api.post("/v0/ingest", { events })).body.data;

describe("GET /v0/traces/{id}", () => {
  test("returns the trace with its nested steps, every field as the specification names it", async () => {
    const [traceId, testId, stepId] = [newId(), newId(), newId()];
    const [{ id }] = await ingest({
      ...{ type: "trace", traceId, testId, referenceId: "conversation 7", metadata: { user: { plan: "pro" } } },
      timestamp: "2026-03-02T10:15:00.123456+01:00",
      steps: [
        {
          ...{
            id: stepId,
            type: "llm",
            event: "end",
            name: "answer",
            timestamp: "2026-03-02T09:15:01Z",
            durationMs: 12.5,
          },
          ...{
            tokens: { input: 12, output: 3 },
            input: ["any", { json: null }],
            output: null,
            metadata: { model: "m" },
          },
          steps: [{ type: "tool", event: "start", tokens: { output: 1 } }],
        },
      ],
    });
    const { status, body } = await api.get(`/v0/traces/${id}`);
    expect(status).toBe(200);
    expect(body).toEqual({
      data: {
        ...{ id, traceId, applicationId, testId, referenceId: "conversation 7", metadata: { user: { plan: "pro" } } },
        ...{ timestamp: "2026-03-02T09:15:00.123Z", type: "llm", event: "end", tokens: { input: 12, output: 4 } },
        steps: [
          {
            ...{ id: stepId, parentId: null, type: "llm", event: "end", name: "answer", durationMs: 12.5 },
            ...{ timestamp: "2026-03-02T09:15:01.000Z", tokens: { input: 12, output: 3 }, metadata: { model: "m" } },
            ...{ input: ["any", { json: null }], output: null },
            steps: [
              {
                ...{
                  id: expect.any(String),
                  parentId: stepId,
                  type: "tool",
                  event: "start",
                  name: "",
                  durationMs: null,
                },
                ...{ timestamp: "2026-03-02T09:15:00.123Z", tokens: { input: 0, output: 1 }, metadata: {}, steps: [] },
              },
            ],
          },
        ],
      },
    });
  });

  test("nulls are told: a trace without reference and test", async () => {
    const [{ id }] = await ingest({ type: "trace" });
    expect((await api.get(`/v0/traces/${id}`)).body.data).toMatchObject({ referenceId: null, testId: null, steps: [] });
  });

  test("a trace that is not there is Trace not found", async () => {
    const traceId = newId();
    await ingest({ type: "trace", traceId });
    for (const id of [newId(), traceId]) {
      const { status, body } = await api.get(`/v0/traces/${id}`);
      expect({ status, body }).toEqual({ status: 404, body: { message: "Trace not found" } });
    }
  });

  test("an id that is no UUID is Invalid UUID", async () => {
    const { status, body } = await api.get("/v0/traces/latest");
    expect(status).toBe(400);
    expect(body.issues).toEqual([{ code: "invalid_string", message: "Invalid UUID", path: ["id"] }]);
  });

  test("a request may nest as deep as JSON may, and an answer nests 14 levels of steps", async () => {
    const nest = (levels: number): object => (levels === 0 ? {} : { steps: [{ type: "group", ...nest(levels - 1) }] });
    const levelsOf = ({ steps }: { steps: { steps: [] }[] }): number => (steps[0] ? 1 + levelsOf(steps[0]) : 0);
    expect((await api.post("/v0/ingest", { events: [{ type: "trace", ...nest(15) }] })).body.issues[0].code).toBe(
      "invalid_json",
    );
    const traceId = newId();
    const [{ id }] = await ingest({ type: "trace", traceId, ...nest(14) });
    const { data } = (await api.get(`/v0/traces/${id}`)).body;
    expect(levelsOf(data)).toBe(14);

    let parentId = data.steps[0];
    while (parentId.steps.length > 0) parentId = parentId.steps[0];
    // The deepest content below the deepest step still comes through, between processes too.
    const input = JSON.parse(`${"[".repeat(29)}${"]".repeat(29)}`);
    await ingest({ type: "log", traceId, parentId: parentId.id, name: "15th", input });
    let level = (await api.get(`/v0/traces/${id}`)).body.data.steps;
    for (let depth = 1; depth < 14; depth++) level = level[0].steps;
    expect(level.map(({ name }: { name: string }) => name)).toEqual(["", "15th"]);
    expect(level[1]).toMatchObject({ parentId: parentId.id, input });
  });

  test("a trace of 3 MiB can be read, and grows no further", async () => {
    const traceId = newId();
    const step = { type: "log", traceId, input: "x".repeat(1_000_000) };
    const [{ id }] = await ingest({ type: "trace", traceId });
    const answers = [];
    for (let count = 0; count < 4; count++) answers.push(...(await ingest(step)));
    expect(answers.map(({ error }) => error)).toEqual([null, null, null, "A trace has at most 3 MiB"]);
    expect((await api.get(`/v0/traces/${id}`)).body.data.steps).toHaveLength(3);
  });
});

describe("GET /v0/traces", () => {
  const testId = newId();
  beforeAll(async () => {
    for (const [referenceId, day] of [
      ["page a", 3],
      ["page b", 1],
      ["page c", 2],
    ] as const) {
      await ingest({
        type: "trace",
        referenceId,
        testId,
        timestamp: `2026-01-0${day}T00:00:00Z`,
        steps: [{ type: "llm" }],
      });
    }
  });
  const found = async (query: string) => {
    const { body } = await api.get(`/v0/traces?testId=${testId}&${query}`);
    return body.data.map(({ referenceId }: { referenceId: string }) => referenceId.at(-1)).join("");
  };

  test("is paged, newest first, and without steps", async () => {
    const { status, body } = await api.get(`/v0/traces?testId=${testId}&limit=2&skip=1`);
    expect([status, body.pagination]).toEqual([200, { skip: 1, limit: 2, total: 3, totalPages: 2, totalCount: 3 }]);
    expect(body.data.map(({ referenceId }: { referenceId: string }) => referenceId)).toEqual(["page b", "page a"]);
    expect(body.data[0]).toEqual({
      ...{ id: expect.any(String), traceId: expect.any(String), applicationId, testId, referenceId: "page b" },
      ...{ timestamp: "2026-01-01T00:00:00.000Z", type: "llm", event: "start", metadata: {} },
      tokens: { input: 0, output: 0 },
    });
  });

  test("is filtered by test, reference, and an inclusive range of timestamps", async () => {
    expect(await found("referenceId=page+a")).toBe("a");
    expect(await found("startDate=2026-01-02T00:00:00Z&orderBy=timestamp&orderDir=asc")).toBe("ca");
    expect(await found("endDate=2026-01-02T00:00:00.000Z&orderBy=timestamp")).toBe("cb");
    expect(await found("startDate=2026-01-02T00:00:00Z&endDate=2026-01-02T00:00:00Z")).toBe("c");
    expect(await found("endDate=2026-01-01T23:59:59.999Z")).toBe("b");
  });

  test("tells every fault of a query at once", async () => {
    const { status, body } = await api.get(
      "/v0/traces?limit=101&skip=-1&orderBy=type&orderDir=up&testId=x&startDate=2026-01-01&endDate=now&type=llm",
    );
    expect(status).toBe(400);
    const paths = body.issues.map(({ path }: { path: string[] }) => path.join("."));
    expect(paths.sort()).toEqual(["endDate", "limit", "orderBy", "orderDir", "skip", "startDate", "testId", "type"]);
  });
});
