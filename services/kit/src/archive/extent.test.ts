import { expect, test } from "vitest";
import { type ExtentRow, extentOf } from "./extent.ts";

const row = (number: number, from: number, to: number, state: ExtentRow["state"]): ExtentRow => ({
  number,
  from,
  to,
  state,
});

test("an extent has published and dropped intervals, adjacent ones as one, and hides the other batches", () => {
  const rows = [
    row(1, 0, 10, "dropped"),
    row(7, 0, 10, "withdrawn"),
    row(2, 10, 20, "dropped"),
    row(3, 20, 30, "published"),
    row(4, 30, 40, "open"),
    row(5, 40, 50, "published"),
  ];
  expect(extentOf(rows)).toEqual({
    archived: [
      { from: 0, to: 30 },
      { from: 40, to: 50 },
    ],
    dropped: [{ from: 0, to: 20 }],
    hidden: [7, 4],
    upTo: 7,
  });
});

test("without batches nothing is archived", () => {
  expect(extentOf([])).toEqual({ archived: [], dropped: [], hidden: [], upTo: 0 });
});
