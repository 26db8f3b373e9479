import { expect, test } from "vitest";
import { toLines } from "./copy-tables.ts";

test("copied cells are numbers for a spreadsheet, and each cell is one line", () => {
  expect(
    toLines([
      ["Pass rate", "\u221234"],
      ["0.83\n0.73 to 0.94", "+25 points\n\tBetter"],
    ]),
  ).toBe("Pass rate\t-34\n0.83 0.73 to 0.94\t+25 points Better");
});
