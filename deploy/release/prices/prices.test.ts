import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { root } from "../versions.ts";
import { generatePrices, recordCosts } from "./generate.ts";
import { assertRecentPrices, pricesReadAt } from "./price-age.ts";

test("the list of prices is what the installed package has, and a release refuses it after 60 days", async () => {
  const read = async (file: string) => JSON.parse(await readFile(join(root, "services/prices/src", file), "utf8"));
  const readAt = await pricesReadAt();
  expect(await read("prices.json")).toEqual(JSON.parse(JSON.stringify(await generatePrices(readAt))));
  expect(await read("recorded-costs.json")).toEqual(JSON.parse(JSON.stringify(recordCosts())));
  const later = (days: number) => new Date(Date.parse(readAt) + days * 86_400_000);
  expect(() => assertRecentPrices(readAt, later(60))).not.toThrow();
  expect(() => assertRecentPrices(readAt, later(61))).toThrow(/61 days old.*npm run prices/);
});
