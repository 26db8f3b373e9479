import { expect, test } from "vitest";
import { listenerPermissions, usersConfiguration } from "./permissions.ts";

test("a user may only what is listed, and with an empty list nothing", () => {
  const text = usersConfiguration([{ user: "listener", password: "$PASSWORD", may: listenerPermissions("a.b") }]);
  expect(text.replaceAll(/\s+/g, " ")).toContain(
    'permissions { publish { deny: ">" } subscribe { allow: [ "ems.v1.evt.*.a.b.*" ] } }',
  );
});
