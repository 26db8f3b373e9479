import { expect, test } from "vitest";
import { chooseDisplayed, chosenVariant, displayedMax, findReference } from "./displayed-variants.ts";

const variant = (id: string, status: "DRAFT" | "RUNNING" | "COMPLETED" | "REJECTED") => ({
  id,
  status,
  parentId: id === "baseline" ? null : "baseline",
  summary:
    status === "COMPLETED" ? { averageScore: null, errored: 1, failed: 0, none: 0, passed: 0, passRate: null } : null,
});
const all = [
  variant("baseline", "COMPLETED"),
  ...[variant("a", "DRAFT"), variant("b", "REJECTED"), variant("c", "COMPLETED"), variant("d", "RUNNING")],
];
const [baseline, , , other] = all;
const ids = (named?: string[], reference = baseline) => chooseDisplayed(all, reference, named).map(({ id }) => id);

test("variants are compared with the baseline, or with the URL's variant if it has results", () => {
  expect([undefined, "nonsense", "d", "c"].map((named) => findReference(all, named)?.id)).toEqual([
    ...["baseline", "baseline", "baseline", "c"],
  ]);
  expect(findReference([], "c")).toBeUndefined();
});

test("rejected variants have a column only if the URL names them; the reference has its own", () => {
  expect(ids()).toEqual(["a", "c", "d"]);
  expect(ids(["c", "b", "baseline", "nonsense"])).toEqual(["b", "c"]);
  expect(ids(undefined, other)).toEqual(["baseline", "a", "d"]);
});

test("the newest variants have columns", () => {
  const many = Array.from({ length: 20 }, (_, at) => variant(`${at}`, "DRAFT"));
  const displayed = chooseDisplayed(many, undefined, undefined);
  expect(displayed.map(({ id }) => id)).toEqual(many.slice(-displayedMax).map(({ id }) => id));
});

test("the selected variant is the URL's, else the first that has run", () => {
  expect(chosenVariant(all, baseline, "b")?.id).toBe("b");
  expect(chosenVariant(all, baseline, "baseline")?.id).toBe("c");
  expect(chosenVariant(all, other, "baseline")?.id).toBe("baseline");
  expect(chosenVariant(all.slice(0, 2), baseline, undefined)?.id).toBe("a");
  expect(chosenVariant(all.slice(0, 1), baseline, undefined)).toBeUndefined();
});
