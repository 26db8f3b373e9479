// `ems members` against a running product.

import { newId } from "@ems/kit/id";
import { expect, inject, test } from "vitest";
import { emsAs } from "../harness/cli.ts";
import { addMember } from "../harness/members.ts";
import { newTenant } from "../harness/tenant.ts";

test("members: a person is invited and listed; a member gets another role, and is removed", async () => {
  const tenant = await newTenant();
  const ems = emsAs({ baseUrl: inject("product").baseUrl, ...tenant });
  expect(await ems(["members", "list"])).toEqual({ code: 0, stdout: "No members.\n", stderr: "" });
  const [owner, member] = [await addMember(tenant, "OWNER"), await addMember(tenant, "VIEWER")];
  const email = `Ada-${newId()}@Example.com`;
  const invited = await ems(["members", "invite", email, "--role", "reviewer"]);
  const sentence = new RegExp(
    `^Invited ${email.toLowerCase()} as reviewer until \\S+Z\\. They sign in at the console's address\\.\n$`,
  );
  expect(invited).toEqual({ code: 0, stdout: expect.stringMatching(sentence), stderr: "" });
  expect(await ems(["members", "role", member, "editor"])).toMatchObject({ code: 0, stdout: "Grace is editor.\n" });
  const rows = (await ems(["members", "list", "--json"])).stdout.trim().split("\n");
  expect(
    rows
      .map((row) => JSON.parse(row))
      .map(({ state, role }) => `${state} ${role}`)
      .sort(),
  ).toEqual([...["invited REVIEWER", "member EDITOR", "member OWNER"]]);
  expect((await ems(["members", "list"])).stdout).toMatch(/^Id +Name +E-mail +Role +State +Since\n(.+\n){3}$/);

  expect(await ems(["members", "remove", member])).toMatchObject({ code: 0, stdout: `Removed ${member}.\n` });
  expect((await ems(["members", "list"])).stdout).not.toContain(member);
  // The last owner, a person who is not a member, and a member of another application.
  expect(await ems(["members", "remove", owner])).toMatchObject({ code: 5, stdout: "" });
  const elsewhere = await addMember(await newTenant(), "VIEWER");
  for (const stranger of [newId(), elsewhere])
    expect(await ems(["members", "role", stranger, "owner"])).toMatchObject({ code: 3, stdout: "" });
  expect(await ems(["members", "invite", email, "--role", "admin"])).toMatchObject({ code: 2, stdout: "" });
});
