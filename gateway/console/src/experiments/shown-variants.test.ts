import { expect, test } from "vitest";
import { chosenVariant, shownMax, shownVariants } from "./shown-variants.ts";

const variant = (id: string, status: "DRAFT" | "RUNNING" | "COMPLETED" | "REJECTED") => ({
  ...{ id, status },
  parentId: id === "baseline" ? null : "baseline",
});
const all = [
  variant("baseline", "COMPLETED"),
  ...[variant("a", "DRAFT"), variant("b", "REJECTED"), variant("c", "COMPLETED"), variant("d", "RUNNING")],
];
const ids = (named?: string[]) => shownVariants(all, named).map(({ id }) => id);

test("rejected variants have no column, unless the URL names them; the baseline has its own", () => {
  expect(ids()).toEqual(["a", "c", "d"]);
  expect(ids(["c", "b", "baseline", "nonsense"])).toEqual(["b", "c"]);
});

test("of many, the newest have columns", () => {
  const many = Array.from({ length: 20 }, (_, at) => variant(`${at}`, "DRAFT"));
  expect(shownVariants(many, undefined).map(({ id }) => id)).toEqual(many.slice(-shownMax).map(({ id }) => id));
});

test("more is shown of the variant that the URL names, else of the first that was run", () => {
  expect(chosenVariant(all, "b")?.id).toBe("b");
  expect(chosenVariant(all, "baseline")?.id).toBe("c");
  expect(chosenVariant(all.slice(0, 2), undefined)?.id).toBe("a");
  expect(chosenVariant(all.slice(0, 1), undefined)).toBeUndefined();
});
