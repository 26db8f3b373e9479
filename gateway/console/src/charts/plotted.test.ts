import { expect, test } from "vitest";
import { describeValues } from "./plotted.ts";

const at = (label: string, value: number) => ({ label, value, text: `${value} %` });

test("a chart's values are described by the lowest, the highest and the latest", () => {
  expect(describeValues([at("Nov 1", 70), at("Nov 2", 62), at("Nov 3", 91), at("Nov 4", 83)])).toBe(
    "Lowest 62 % (Nov 2), highest 91 % (Nov 3), latest 83 % (Nov 4)",
  );
  expect(describeValues([at("Nov 1", 70)])).toBe("Lowest 70 % (Nov 1), highest 70 % (Nov 1), latest 70 % (Nov 1)");
  expect(describeValues([])).toBe("No values");
});
