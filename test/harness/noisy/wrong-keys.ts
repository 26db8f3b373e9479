import { formKey, keyBytes } from "@ems/kit/api-key";
import { secureRandom } from "@ems/kit/id";
import { requestNoise } from "./noise.ts";

/** Keys of the right form that nobody has, each another one, from the address that the quiet tenant has too. */
export const wrongKeys = requestNoise(50, () => ({
  method: "GET",
  path: "/v0/topics",
  headers: { "x-api-key": formKey(secureRandom(keyBytes)) },
}));
