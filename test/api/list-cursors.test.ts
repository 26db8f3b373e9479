// Cursors of every list in the API reference.

import { newId } from "@ems/kit/id";
import { describe, expect, inject, test } from "vitest";
import { openContract } from "../harness/contract.ts";
import { newTenant } from "../harness/tenant.ts";

const { api, applicationId } = await newTenant();
const other = await newTenant();
const { document } = await openContract(inject("product").baseUrl);
const lists = Object.keys(document.paths).filter((path) => {
  const parameters = JSON.stringify(document.paths[path]?.get?.parameters ?? []);
  return parameters.includes('"name":"after"') && parameters.includes('"name":"skip"');
});
const plain = lists.filter((path) => !path.includes("{"));

describe("after", () => {
  test("is a parameter of every list that grows", () => {
    expect(lists.length).toBeGreaterThan(30);
    for (const path of ["traces", "tests", "runs", "evals", "issues", "tasks", "topics", "documents", "audit-log"])
      expect(lists).toContain(`/v0/${path}`);
  });

  test.each(plain)("GET %s takes a cursor of its own only, and not with skip", async (path) => {
    const get = (query: string) => api.get(`${path}?${query}`);
    expect((await get("limit=1&after=")).body.pagination).toMatchObject({ skip: 0 });
    for (const query of ["after=x", `after=${"A".repeat(8_192)}`, `after=${"A".repeat(8_193)}`, "after=x&skip=0"]) {
      const { status, body } = await get(query);
      expect([query, status, body.issues?.[0]?.path]).toEqual([query, 400, ["after"]]);
    }
  });

  test("pages neither repeat nor lose rows while others come and go", async () => {
    const titles = Array.from({ length: 12 }, (_, index) => `topic ${index}`);
    for (const title of titles) await api.post("/v0/topics", { title });
    const seen: string[] = [];
    for (let after: string | null = ""; after !== null; ) {
      const { body } = await api.get(`/v0/topics?limit=5&after=${after}`);
      seen.push(...body.data.map(({ title }: { title: string }) => title));
      after = body.pagination.nextCursor;
      await api.post("/v0/topics", { title: "later" });
      await api.delete(`/v0/topics/${body.data.at(-1).id}`);
    }
    expect(seen).toEqual(titles.reverse());
  });

  test("traces, their steps, tests and evaluations are read by cursors", async () => {
    const traceId = newId();
    const steps = Array.from({ length: 7 }, (_, index) => ({ type: "log", traceId, content: `${index}` }));
    await api.post("/v0/ingest", { events: [...steps, { type: "trace" }, { type: "trace" }] });
    await api.post("/v0/tests/results", { tests: await threeTests() });
    for (const [path, total] of [
      ["/v0/traces", 3],
      [`/v0/traces/${traceId}/steps`, 7],
      ["/v0/tests", 3],
      ["/v0/evals", 3],
    ] as const) {
      const ids = new Set<string>();
      let pages = 0;
      for (let after: string | null = ""; after !== null; pages++) {
        const { body } = await api.get(`${path}?limit=2&after=${after}`);
        expect(body.pagination.total).toBe(total);
        for (const { id } of body.data) ids.add(id);
        after = body.pagination.nextCursor;
      }
      expect([path, ids.size, pages]).toEqual([path, total, Math.ceil(total / 2)]);
    }
  });

  test("a cursor of another application, list or filter is refused", async () => {
    for (const title of ["a", "b"]) {
      await api.post("/v0/topics", { title });
      await other.api.post("/v0/topics", { title });
    }
    const { nextCursor } = (await api.get("/v0/topics?limit=1")).body.pagination;
    expect(Buffer.from(nextCursor, "base64url").toString()).not.toContain(applicationId);
    const problem = async (path: string, by = api) => {
      const { status, body } = await by.get(`${path}after=${nextCursor}`);
      return [status, body.issues?.[0]?.message.split(":")[0]];
    };
    expect(await problem("/v0/topics?", other.api)).toEqual([400, "The cursor belongs to another application"]);
    expect(await problem("/v0/tasks?")).toEqual([400, "The cursor belongs to another list"]);
    expect(await problem("/v0/topics?title=a&")).toEqual([400, "The cursor belongs to other filters"]);
    expect(await problem("/v0/topics?orderDir=asc&")).toEqual([400, "The cursor belongs to another order"]);
    expect(await problem("/v0/tasks?orderBy=lastTest&")).toEqual([400, "This order has no cursors"]);
  });
});

async function threeTests() {
  const task = (await api.post("/v0/tasks", { title: "a", description: "b" })).body.task.id;
  const definition = { type: "FACT", name: "c" };
  const definitionId = (await api.post("/v0/definitions", definition)).body.data.id;
  return Array.from({ length: 3 }, () => ({ taskId: task, evaluations: [{ definitionId }] }));
}
