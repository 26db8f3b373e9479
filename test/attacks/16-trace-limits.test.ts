import { newId } from "@ems/kit/id";
import { expect, test } from "vitest";
import { startAttacked } from "../harness/attacked-product.ts";

const product = await startAttacked();
interface Result {
  readonly success: boolean;
  readonly id?: string;
  readonly error?: string | null;
}

/** Each test is an application of its own: large bodies use up what one may ask. */
async function application() {
  const { api } = await product.tenant();
  return {
    ingest: async (...events: unknown[]): Promise<Result[]> => {
      const { status, body } = await api.post("/v0/ingest", { events });
      expect(status, JSON.stringify(body)).toBe(200);
      return body.data;
    },
    /** How many steps a trace has. */
    steps: async (id: string | undefined): Promise<number> => {
      const { status, body } = await api.get(`/v0/traces/${id}`);
      expect(status).toBe(200);
      const count = (list: { steps: [] }[]): number => list.reduce((sum, step) => sum + 1 + count(step.steps), 0);
      return count(body.data.steps);
    },
  };
}

test("requests that come at once make no trace larger than 3 MiB", async () => {
  const { ingest, steps } = await application();
  const traceId = newId();
  const [trace] = await ingest({ type: "trace", traceId });
  const event = () => ({ type: "log", traceId, input: "x".repeat(900_000) });
  const answers = (await Promise.all(Array.from({ length: 12 }, () => ingest(event())))).flat();
  expect(answers.filter(({ success }) => success)).toHaveLength(3);
  expect(new Set(answers.flatMap(({ error }) => error ?? []))).toEqual(new Set(["A trace has at most 3 MiB"]));
  expect(await steps(trace?.id)).toBe(3);
});

test("nor one with more than 10,000 steps, whether they come as its own or one by one", async () => {
  const { ingest, steps } = await application();
  const traceId = newId();
  const [trace] = await ingest({ type: "trace", traceId });
  const nested = (name: string) => ({
    type: "trace",
    traceId,
    steps: Array.from({ length: 3 }, () => ({ type: "group", name, steps: Array(999).fill({ type: "log", name }) })),
  });
  const single = { type: "log", traceId };
  const answers = await Promise.all([
    ...Array.from({ length: 4 }, (_, index) => ingest(nested(`n${index}`))),
    ...Array.from({ length: 3 }, () => ingest(...Array(1_000).fill(single))),
  ]);
  expect(answers.flat().some(({ success }) => !success)).toBe(true);
  const stored = await steps(trace?.id);
  expect(stored).toBeLessThanOrEqual(10_000);
  expect(stored).toBeGreaterThan(7_000);
});

test("a trace that several requests make at once keeps the limit too", async () => {
  const { ingest } = await application();
  const traceId = newId();
  const event = (name: string) => ({
    type: "trace",
    traceId,
    steps: [{ type: "log", name, input: "x".repeat(900_000) }],
  });
  const answers = (await Promise.all(Array.from({ length: 8 }, (_, index) => ingest(event(`${index}`))))).flat();
  expect(answers.filter(({ success }) => success)).toHaveLength(3);
});

test("requests over the same traces in any order end, all of them", async () => {
  const { ingest } = await application();
  const ids = Array.from({ length: 20 }, newId);
  await ingest(...ids.slice(0, 10).map((traceId) => ({ type: "trace", traceId })));
  const shuffled = (seed: number) => ids.toSorted((a, b) => (a + seed < b + seed ? -1 : 1) * (seed % 2 === 0 ? 1 : -1));
  const answers = await Promise.all(
    Array.from({ length: 30 }, (_, seed) =>
      ingest(
        ...shuffled(seed).flatMap((traceId) => [{ type: "trace", traceId, steps: [{ type: "log", name: `${seed}` }] }]),
      ),
    ),
  );
  expect(answers.flat().filter(({ success }) => !success)).toEqual([]);
});
