// Types and API requests of comparisons.

import { get, type Schemas } from "../api/request.ts";

export type Comparison = Schemas["Comparison"];
export type Side = Schemas["ComparisonSide"];
export type Difference = Schemas["ComparisonDifference"];
export type Estimate = Schemas["ComparisonEstimate"];
export type ChangedTask = Schemas["ChangedTask"];

/** Request to compare two runs. `a` is the baseline. */
export const compareRuns = (a: string, b: string) => get("/v0/runs/compare", { params: { query: { a, b } } });
