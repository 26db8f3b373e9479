import type { JsonObject } from "@bufbuild/protobuf";

/** An example as it is stored. */
export interface StoredExample {
  readonly input: string;
  readonly expected?: string | string[];
  readonly metadata?: JsonObject;
}
