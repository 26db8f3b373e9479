import { newId } from "@ems/kit/id";
import { expect, test } from "vitest";
import { newTenant } from "../harness/tenant.ts";

const { api } = await newTenant();
const newTrace = async () => (await api.post("/v0/ingest", { events: [{ type: "trace" }] })).body.data[0].id as string;

test("feedback of end users is recorded, returned with the trace, filtered and reported, apart from human annotations", async () => {
  const [liked, disliked] = [await newTrace(), await newTrace()];
  const path = `/v0/traces/${liked}/feedback`;
  const { status, body } = await api.post(path, { thumb: "UP", score: 4.5, comment: "Thanks!", user: "customer-7" });
  expect(status).toBe(201);
  expect(body.data).toEqual({
    id: expect.any(String),
    traceId: liked,
    thumb: "UP",
    score: 4.5,
    comment: "Thanks!",
    user: "customer-7",
    source: "API",
    createdAt: expect.any(String),
  });
  expect((await api.post(`/v0/traces/${disliked}/feedback`, { thumb: "DOWN" })).status).toBe(201);
  const { data: trace } = (await api.get(`/v0/traces/${liked}`)).body;
  expect(trace).toMatchObject({ feedback: [body.data], evals: [] });
  const list = async (query: string) =>
    (await api.get(`/v0/traces?${query}`)).body.data.map(({ id }: { id: string }) => id);
  expect(await list("feedbackThumb=DOWN")).toEqual([disliked]);
  expect(await list("minFeedbackScore=4")).toEqual([liked]);
  expect(await list("hasFeedback=true")).toHaveLength(2);
  expect((await api.get("/v0/human-annotations")).body.data).toEqual([]);

  const report = async (query: object) =>
    (await api.post("/v0/reporting/query", { datasource: "feedback", timezone: "UTC", ...query })).body.data.results;
  const measurements = [{ type: "count" }, { type: "avg", column: "helpful" }];
  expect(await report({ measurements })).toEqual([{ count: 2, avg_helpful: 0.5 }]);
  const filters = [{ column: "thumb", type: "string", operator: "eq", value: ["UP"] }];
  expect(await report({ filters })).toMatchObject([{ traceId: liked, thumb: "UP", score: 4.5, helpful: true }]);
});

test("feedback needs a thumb, a score or a comment, and a trace", async () => {
  const traceId = await newTrace();
  for (const invalid of [{}, { user: "a" }, { thumb: "MAYBE" }, { comment: "" }, { score: "5" }])
    expect((await api.post(`/v0/traces/${traceId}/feedback`, invalid)).status).toBe(400);
  expect(await api.post(`/v0/traces/${newId()}/feedback`, { thumb: "UP" })).toMatchObject({
    status: 404,
    body: { message: "Trace not found" },
  });
});
