import { expect, test } from "vitest";
import { staleFiles } from "./generated-files.ts";

test("generated files are up to date; `npm run generate` writes them", async () => {
  expect(await staleFiles()).toEqual([]);
});
