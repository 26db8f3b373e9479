// Clients that overload the product, one in each file: bounded in time and number, for tests and benchmarks.

import { gzipBodies } from "./gzip-bodies.ts";
import { ingestFloods } from "./ingest-floods.ts";
import type { Noise } from "./noise.ts";
import { reports } from "./reports.ts";
import { searches } from "./searches.ts";
import { slowBodies } from "./slow-bodies.ts";
import { slowReaders } from "./slow-readers.ts";
import { webhookTests } from "./webhook-tests.ts";
import { wrongKeys } from "./wrong-keys.ts";

export const noises = {
  searches,
  "slow bodies": slowBodies,
  "slow readers": slowReaders,
  "gzip bodies": gzipBodies,
  "ingest floods": ingestFloods,
  "webhook tests": webhookTests,
  "wrong keys": wrongKeys,
  reports,
} satisfies Record<string, Noise>;

export type NoiseName = keyof typeof noises;

export const noiseNames = Object.keys(noises) as NoiseName[];
