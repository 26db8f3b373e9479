import { formKey, keyBytes } from "@ems/kit/api-key";
import { secureRandom } from "@ems/kit/id";
import { requestNoise } from "./noise.ts";

/** Sends well-formed keys that do not exist, each different, from the quiet tenant's address. */
export const wrongKeys = requestNoise(50, () => ({
  method: "GET",
  path: "/v0/topics",
  headers: { "x-api-key": formKey(secureRandom(keyBytes)) },
}));
