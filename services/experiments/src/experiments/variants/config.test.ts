import { describe, expect, test } from "vitest";
import { listBranches, mergeConfig, patchFaults } from "./config.ts";

const steps = new Set(["reply", "find", "__proto__"]);
const paths = (patch: Parameters<typeof patchFaults>[0], isBaseline: boolean) =>
  patchFaults(patch, steps, isBaseline).map(({ path }) => path.slice(1).join("."));

describe("a patch", () => {
  test.each([
    [{ reply: { model: "m" } }, true, []],
    [{ reply: { model: "m" } }, false, []],
    [{ reply: { model: null } }, false, []],
    [{ reply: { model: "m", seed: 1 }, find: {} }, true, []],
    [{}, true, []],
    [{}, false, [""]],
    [{ reply: {} }, false, [""]],
    [{ reply: { model: "m", seed: 1 } }, false, ["reply.seed"]],
    [{ reply: { model: "m", seed: 1 }, find: { top: 3 } }, false, ["reply.seed", "find.top"]],
    [{ other: { model: "m" }, reply: "m" }, true, ["other", "reply"]],
    [{ reply: null, find: [1] }, false, ["reply", "find"]],
    [JSON.parse('{"constructor": {"a": 1}}'), true, ["constructor"]],
  ] as const)("%j, of the baseline: %j: errors at %j", (patch, isBaseline, found) => {
    expect(paths(patch, isBaseline)).toEqual(found);
  });
});

test("a patch replaces the parent's parameters and keeps all others", () => {
  const parent = { reply: { model: "a", stop: ["x"] }, find: { top: 3 } };
  expect(mergeConfig(parent, { reply: { stop: ["y"] } })).toEqual({
    reply: { model: "a", stop: ["y"] },
    find: { top: 3 },
  });
  expect(mergeConfig(parent, { rank: { by: null } })).toEqual({ ...parent, rank: { by: null } });
  expect(parent).toEqual({ reply: { model: "a", stop: ["x"] }, find: { top: 3 } });
});

test("steps and parameters may have the names of built-in object properties", () => {
  const patch = JSON.parse('{"__proto__": {"constructor": 1, "__proto__": 2}}');
  const merged = mergeConfig(JSON.parse('{"__proto__": {"toString": 3}}'), patch);
  expect(JSON.stringify(merged)).toBe('{"__proto__":{"toString":3,"constructor":1,"__proto__":2}}');
});

test("branches come after their parents", () => {
  const variant = (id: string, parentId: string | null) => ({ id, parentId });
  const all = [variant("d", "c"), variant("a", null), variant("b", "a"), variant("c", "b"), variant("e", "a")];
  expect(listBranches(all, "a").map(({ id }) => id)).toEqual(["b", "c", "d", "e"]);
  expect(listBranches(all, "d")).toEqual([]);
});
