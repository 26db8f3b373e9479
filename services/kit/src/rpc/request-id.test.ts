import { expect, test } from "vitest";
import { requestIdOf } from "./request-id.ts";

const idOf = (requestId: unknown) => requestIdOf(requestId, () => "new");

test("a client's request id is kept when it is safe in logs and headers", () => {
  for (const id of ["a", "A-1._:+/=", "x".repeat(128)]) expect(idOf(id)).toBe(id);
  for (const id of [undefined, "", "x".repeat(129), "a b", "a\nb", "é", ["a"], 1])
    expect([id, idOf(id)]).toEqual([id, "new"]);
});
