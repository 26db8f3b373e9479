import { formKey, keyBytes } from "@ems/kit/api-key";
import { secureRandom } from "@ems/kit/id";
import { requestNoise } from "./noise.ts";

/** Well-formed keys that do not exist, each different, from the address of the quiet tenant. */
export const wrongKeys = requestNoise(50, () => ({
  method: "GET",
  path: "/v0/topics",
  headers: { "x-api-key": formKey(secureRandom(keyBytes)) },
}));
