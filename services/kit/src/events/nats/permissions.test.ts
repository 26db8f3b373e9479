import { expect, test } from "vitest";
import { listenerPermissions, usersConfiguration } from "./permissions.ts";

test("a user has only the listed permissions, and none with an empty list", () => {
  const text = usersConfiguration([{ user: "listener", password: "$PASSWORD", may: listenerPermissions("a.b") }]);
  expect(text.replaceAll(/\s+/g, " ")).toContain(
    'permissions { publish { deny: ">" } subscribe { allow: [ "ems.v1.evt.*.a.b.*" ] } }',
  );
});
