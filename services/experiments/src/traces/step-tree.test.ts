import { create } from "@bufbuild/protobuf";
import { type TraceStep, TraceStepSchema } from "@ems/proto/experiments/v1/trace_service";
import { expect, test } from "vitest";
import { stepTree } from "./step-tree.ts";

/** "a" or "b<a": b is part of a. */
const steps = (text: string) =>
  text.split(" ").map((one) => {
    const [id = "", parentId] = one.split("<");
    return create(TraceStepSchema, { id, ...(parentId !== undefined && { parentId }) });
  });
const format = (tree: readonly TraceStep[]): string =>
  tree.map(({ id, steps: parts }) => (parts.length === 0 ? id : `${id}(${format(parts)})`)).join(" ");

test.each([
  ["a b c", "a b c"],
  ["a b<a c<a d<b e", "a(b(d) c) e"],
  // A child may stand before its parent.
  ["c<b b<a a", "a(b(c))"],
  // A missing parent.
  ["a b<gone c<b", "a b(c)"],
  // Circles, with and without a way in.
  ["a<a", "a"],
  ["a<b b<a c", "c a(b)"],
  ["a<c b<a c<b d<b", "a(b(c d))"],
])("%s", (flat, tree) => {
  expect(format(stepTree(steps(flat)))).toBe(tree);
});

test("steps below the last level become siblings of their parent, after it", () => {
  expect(format(stepTree(steps("a b<a c<b d<c e<d f<b"), 3))).toBe("a(b(c d e f))");
  expect(format(stepTree(steps("a b<a c<b"), 1))).toBe("a b c");
});

test("a chain of ten thousand steps needs no recursion", () => {
  const chain = Array.from({ length: 10_000 }, (_, index) => (index === 0 ? "0" : `${index}<${index - 1}`));
  const tree = stepTree(steps(chain.join(" ")));
  expect(format(tree).match(/\d+/g)).toHaveLength(10_000);
});
