import { formKey, keyBytes } from "@ems/kit/api-key";
import { expect, test } from "vitest";
import { digestKey, displayPrefix } from "./key.ts";

test("the digest depends on key and pepper; the display prefix has eight characters", () => {
  const key = formKey(Buffer.alloc(keyBytes, 7));
  expect(digestKey(key, "pepper")).toHaveLength(32);
  expect(digestKey(key, "pepper")).toEqual(digestKey(key, "pepper"));
  expect(digestKey(key, "pepper")).not.toEqual(digestKey(key, "salt"));
  expect(displayPrefix(key)).toHaveLength(8);
});
