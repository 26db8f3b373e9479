import type { JsonObject } from "@bufbuild/protobuf";

/** Stored form of an example. */
export interface StoredExample {
  readonly input: string;
  readonly expected?: string | string[];
  readonly metadata?: JsonObject;
}
