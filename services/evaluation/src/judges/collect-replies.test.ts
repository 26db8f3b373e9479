import { secureRandom } from "@ems/kit/id";
import { expect, test } from "vitest";
import { type JudgeInput, judge, ModelFault, type ModelRequest, type ReplyStore, type StoredReply } from "./index.ts";

const input: JudgeInput = {
  question: "How long do returns take?",
  output: "Returns take 30 days.",
  context: [],
  hasRetriever: false,
  facts: [],
  definition: { type: "CUSTOM", name: "Days", criterion: "It names the days", styleGuide: [] },
  expected: undefined,
  votes: 3,
};
const yes = { rationale: "It does", quotes: ["30 days"], choice: "Y" };
const invented = { ...yes, quotes: ["60 days"] };
const busy = new ModelFault("unavailable", "busy");

/** Creates a store of replies that serializes them as JSON, as jobs do. */
function keeping() {
  const all = new Map<string, string>();
  const stored: ReplyStore = {
    find: (key) => JSON.parse(all.get(key) ?? "null") ?? undefined,
    keep: (key, reply: StoredReply) => void all.set(key, JSON.stringify(reply)),
  };
  return { all, stored };
}

/** Runs one attempt of a job with a model that gives these answers in this order. */
async function attempt(stored: ReplyStore, replies: (object | ModelFault)[], more: Partial<JudgeInput> = {}) {
  const requests: ModelRequest<unknown>[] = [];
  const model = {
    generate: async <T>(request: ModelRequest<T>) => {
      requests.push(request);
      const next = replies.shift();
      if (next === undefined || next instanceof ModelFault) throw next ?? new Error("asked once more than expected");
      const object = request.schema.parse(next);
      if (object === undefined) throw new ModelFault("schema", "breaks the schema");
      return { object, usage: { inputTokens: 1, outputTokens: 1 }, model: "m" };
    },
  };
  const deps = { model, random: secureRandom, signal: AbortSignal.timeout(60_000), stored };
  const result = await judge({ ...input, ...more }, deps).catch((error: unknown) => error);
  return { result, requests, left: replies.length };
}

test("a vote of an earlier attempt is not requested again, and the result is the same", async () => {
  const { stored } = keeping();
  const no = { ...yes, choice: "N", rationale: "No" };
  expect((await attempt(stored, [yes, no, busy])).result).toBe(busy);
  const { result, requests } = await attempt(stored, [no]);
  expect(requests.map(({ seed }) => seed)).toEqual([3]);
  expect(result).toEqual((await attempt(keeping().stored, [yes, no, no])).result);
});

test("an unusable reply is stored, too: the retry requests its repair", async () => {
  for (const [reply, repair] of [
    [invented, /copy each quote literally/],
    [{ choice: "maybe" }, /could not be read/],
  ] as const) {
    const { stored } = keeping();
    expect((await attempt(stored, [yes, reply, busy])).result).toBe(busy);
    const { result, requests } = await attempt(stored, [yes, yes]);
    expect(result).toMatchObject({ status: "COMPLETED", score: 1 });
    expect(requests.map(({ seed }) => seed)).toEqual([2, 3]);
    expect(requests[0]?.prompt).toMatch(repair);
  }
});

test("a different request needs a new reply", async () => {
  const { stored } = keeping();
  await attempt(stored, [yes, yes, busy]);
  const inputs: Partial<JudgeInput>[] = [
    { output: "Returns take 30 days, or 60." },
    { definition: { ...input.definition, criterion: "It names the price" } },
    { question: "?" },
    // Votes have a different temperature from a single call, so stored replies do not match.
    { votes: 1 },
  ];
  for (const more of inputs) {
    const votes = more.votes ?? 3;
    const { requests, left } = await attempt(stored, [yes, yes, yes], more);
    expect([requests.length, left]).toEqual([votes, 3 - votes]);
  }
  // If more votes are asked for the same question, two of them are already stored.
  expect((await attempt(stored, [yes, yes, yes], { votes: 5 })).requests.length).toBe(3);
});
