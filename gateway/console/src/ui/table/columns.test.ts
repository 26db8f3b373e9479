import { expect, test } from "vitest";
import { shownColumns, toggledColumn } from "./columns.ts";

const columns = [{ id: "title", isFixed: true }, { id: "status" }, { id: "tags", isOptional: true }];
const ids = (chosen?: string[]) => shownColumns(columns, chosen).map(({ id }) => id);

test("without a choice, optional columns are hidden", () => {
  expect(ids()).toEqual(["title", "status"]);
});

test("a choice names columns; fixed ones are there anyway", () => {
  expect(ids(["tags"])).toEqual(["title", "tags"]);
  expect(ids(["nonsense"])).toEqual(["title"]);
});

test("switching a column twice is no choice", () => {
  const chosen = toggledColumn(columns, undefined, "tags");
  expect(chosen).toEqual(["title", "status", "tags"]);
  expect(toggledColumn(columns, chosen, "tags")).toBeUndefined();
});
