import { gzipSync } from "node:zlib";
import { requestNoise } from "./noise.ts";

// Without a title, so that all of it is read and nothing is stored.
const body = (value: string, count: number) => gzipSync(`{"metadata": {"a": [${Array(count).fill(value).join()}]}}`);
const bodies = [body("1", 90_000), body("{}", 90_000), body("1", 500_000), body('""', 300_000)];

/** Bodies of a kilobyte that inflate to a megabyte of values: as many as permitted, and more. */
export const gzipBodies = requestNoise(16, (_, turn) => ({
  method: "POST",
  path: "/v0/documents",
  headers: { "content-encoding": "gzip" },
  body: bodies[turn % bodies.length] ?? "",
}));
