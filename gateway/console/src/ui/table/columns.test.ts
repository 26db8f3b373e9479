import { expect, test } from "vitest";
import { chooseColumns, toggledColumn } from "./columns.ts";

const columns = [{ id: "title", isFixed: true }, { id: "status" }, { id: "tags", isOptional: true }];
const ids = (chosen?: string[]) => chooseColumns(columns, chosen).map(({ id }) => id);

test("optional columns are hidden by default", () => {
  expect(ids()).toEqual(["title", "status"]);
});

test("a choice lists columns; fixed columns are always included", () => {
  expect(ids(["tags"])).toEqual(["title", "tags"]);
  expect(ids(["nonsense"])).toEqual(["title"]);
});

test("switching a column twice restores the default", () => {
  const chosen = toggledColumn(columns, undefined, "tags");
  expect(chosen).toEqual(["title", "status", "tags"]);
  expect(toggledColumn(columns, chosen, "tags")).toBeUndefined();
});
