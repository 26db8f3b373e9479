import { requestNoise } from "./noise.ts";

const words = "customer transfer fee day";
const lists = ["tasks", "tags", "documents", "experiments"];

/** Searches: long texts and short ones, rare and common, in every list with a search. */
export const searches = requestNoise(20, (_, turn) => {
  const text = turn % 3 === 0 ? `${words} ${turn}`.repeat(8).slice(0, 200) : turn % 3 === 1 ? words : `fee of ${turn}`;
  return { method: "GET", path: `/v0/${lists[turn % lists.length]}?limit=100&search=${encodeURIComponent(text)}` };
});
