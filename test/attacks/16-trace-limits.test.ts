import { newId } from "@ems/kit/id";
import { expect, test } from "vitest";
import { startAttacked } from "../harness/attacked-product.ts";

const product = await startAttacked();
interface Result {
  readonly success: boolean;
  readonly id?: string;
  readonly error?: string | null;
}

/** Each test has its own application: large bodies use up its limits. */
async function application() {
  const { api } = await product.tenant();
  return {
    ingest: async (...events: unknown[]): Promise<Result[]> => {
      const { status, body } = await api.post("/v0/ingest", { events });
      expect(status, JSON.stringify(body)).toBe(200);
      return body.data;
    },
    /** Number of steps by the trace and by its row of the list. */
    steps: async (id: string): Promise<number[]> => {
      const trace = await api.get(`/v0/traces/${id}`);
      const page = await api.get(`/v0/traces/${id}/steps?limit=1`);
      expect([trace.status, page.status]).toEqual([200, 200]);
      return [trace.body.data.stepCount, page.body.pagination.total];
    },
  };
}

test("no trace has more than 20,000 steps, whether they come as its own or one by one, at once", async () => {
  const { ingest, steps } = await application();
  const traceId = newId();
  await ingest({ type: "trace", traceId });
  const nested = (name: string) => ({
    type: "trace",
    traceId,
    steps: Array.from({ length: 3 }, () => ({ type: "group", name, steps: Array(999).fill({ type: "log", name }) })),
  });
  const single = { type: "log", traceId };
  // An application may send few large bodies at once.
  for (let pair = 0; pair < 3; pair++) await Promise.all([ingest(nested(`a${pair}`)), ingest(nested(`b${pair}`))]);
  const answers = await Promise.all(Array.from({ length: 4 }, () => ingest(...Array(1_000).fill(single))));
  expect(new Set(answers.flat().flatMap(({ error }) => error ?? []))).toEqual(
    new Set(["A trace has at most 20000 steps"]),
  );
  const [stored = 0, listed] = await steps(traceId);
  expect(stored).toBe(listed);
  expect(stored).toBeLessThanOrEqual(20_000);
  expect(stored).toBeGreaterThan(17_000);
});

test("a trace that several requests make at once has the steps of all, and the sums of all", async () => {
  const { ingest, steps } = await application();
  const traceId = newId();
  const event = (name: string) => ({ type: "trace", traceId, steps: [{ type: "log", name }] });
  const answers = (await Promise.all(Array.from({ length: 16 }, (_, index) => ingest(event(`${index}`))))).flat();
  expect(new Set(answers.map(({ id }) => id))).toEqual(new Set([traceId]));
  expect(await steps(traceId)).toEqual([16, 16]);
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
