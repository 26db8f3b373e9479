import { newId } from "@ems/kit/id";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { newTenant } from "../harness/tenant.ts";

const { api } = await newTenant();
const other = await newTenant();
const ingest = async (...events: object[]) => {
  const { body } = await api.post("/v0/ingest", { events });
  expect(body.data.filter(({ success }: { success: boolean }) => !success)).toEqual([]);
};
const found = async (query: string, by = api) => {
  const { status, body } = await by.get(`/v0/traces?orderBy=timestamp&orderDir=asc&${query}`);
  expect([query, status]).toEqual([query, 200]);
  expect(body.pagination.total).toBe(body.data.length);
  return body.data.map(({ referenceId }: { referenceId: string }) => referenceId).join("");
};

beforeAll(async () => {
  const [a, b] = [newId(), newId()];
  const at = (day: number) => ({ timestamp: `2026-01-0${day}T00:00:00Z` });
  await ingest(
    { type: "trace", traceId: a, referenceId: "a", metadata: { channel: "chat", vip: true, userId: "ann" }, ...at(1) },
    { type: "trace", traceId: b, referenceId: "b", metadata: '{"channel":"mail"}', environment: "staging", ...at(2) },
    {
      type: "trace",
      referenceId: "c",
      totalCost: 0.25,
      totalDurationMs: 50,
      hasError: true,
      service: "shop",
      version: "2",
      ...at(3),
    },
    {
      type: "tool",
      traceId: a,
      name: "find",
      toolInput: { card: "Stolen card" },
      toolOutput: "blocked",
      costAmount: 2,
    },
    { type: "retriever", traceId: a, query: "opening hours", result: ["Århus: 9-17\nclosed on Sunday"] },
    {
      type: "llm",
      event: "end",
      traceId: b,
      modelId: "m",
      output: "your card arrives",
      costAmount: 0.5,
      durationMs: 9,
    },
    { type: "log", traceId: b, content: "asked twice" },
  );
});

describe("GET /v0/traces", () => {
  test.each([
    ["minCost=0.25", "abc"],
    ["minCost=0.3&maxCost=1", "b"],
    ["maxCost=0.25", "c"],
    ["minDuration=50&maxDuration=50", "c"],
    ["hasError=true", "c"],
    ["hasError=false", "ab"],
    ["metadataKey=channel&metadataValue=chat", "a"],
    ["metadataKey=vip&metadataValue=true", "a"],
    ["metadataKey=channel&metadataValue=mail", "b"],
    ["service=shop", "c"],
    ["service=shop&version=1", ""],
    ["version=2", "c"],
    ["environment=staging", "b"],
    ["user=ann", "a"],
    ["user=Ann", ""],
    ["metadataKey=channel&metadataValue=chat&hasError=true", ""],
    ["hasError=&minCost=&metadataKey=&metadataValue=&search=&minScore=", "abc"],
    ["startDate=2026-01-02&endDate=2026-01-02", "b"],
  ])("%s", async (query, references) => {
    expect(await found(query)).toBe(references);
  });

  test("finds words of every payload within five seconds, whole ones and all of them", async () => {
    await vi.waitFor(async () => expect(await found("search=twice")).toBe("b"), { timeout: 30_000, interval: 100 });
    for (const [search, references] of [
      ["CARD", "ab"],
      ["stolen blocked", "a"],
      ["opening århus", "a"],
      ["closed", "a"],
      ["arrives twice", "b"],
      ["stolen twice", ""],
      ["car", ""],
      ["!", ""],
    ] as const) {
      expect([search, await found(`search=${encodeURIComponent(search)}`)]).toEqual([search, references]);
    }
    expect(await found("search=card&minCost=1")).toBe("a");
    expect(await found("search=card", other.api)).toBe("");
  });

  test("is ordered by every key, and pages end in id", async () => {
    for (const orderBy of ["createdAt", "modifiedAt", "timestamp", "totalCost", "totalDurationMs", "stepCount", "id"]) {
      const ids = async (query: string) =>
        (await api.get(`/v0/traces?orderBy=${orderBy}&${query}`)).body.data.map(({ id }: { id: string }) => id);
      const whole = await ids("orderDir=asc");
      expect(whole).toHaveLength(3);
      const pages = await Promise.all([0, 1, 2].map((skip) => ids(`orderDir=asc&limit=1&skip=${skip}`)));
      expect([orderBy, pages.flat()]).toEqual([orderBy, whole]);
      expect(await ids("orderDir=desc")).toEqual(whole.toReversed());
    }
  });

  test("lists every fault of a filter at once", async () => {
    const { status, body } = await api.get(
      "/v0/traces?hasError=yes&minCost=a&maxDuration=-1&minScore=NaN&orderBy=cost&metadataKey=&metadataValue=a&tokens=1",
    );
    const paths = body.issues.map(({ path }: { path: string[] }) => path.join("."));
    expect([status, paths.sort()]).toEqual([
      400,
      ["hasError", "maxDuration", "minCost", "minScore", "orderBy", "tokens"],
    ]);
    const alone = await api.get("/v0/traces?metadataKey=channel");
    expect([alone.status, alone.body.issues[0].path]).toEqual([400, ["metadataValue"]]);
  });
});
