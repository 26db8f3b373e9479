import { newId } from "@ems/kit/id";
import { expect, test } from "vitest";
import { mailsWith } from "../harness/mail-server.ts";
import { addMember } from "../harness/members.ts";
import { newTenant } from "../harness/tenant.ts";

const { api, ...tenant } = await newTenant();
const put = (path: string, json: object, by = api) => by.send("PUT", path, { json });

test("a member gets another role, once for a repeated request, and leaves; the last owner stays", async () => {
  const [owner, viewer] = [await addMember(tenant, "OWNER"), await addMember(tenant, "VIEWER")];
  const send = () =>
    api.send("PUT", `/v0/members/${viewer}`, { json: { role: "EDITOR" }, headers: { "idempotency-key": "once" } });
  const [first, repeated] = [await send(), await send()];
  expect([first.status, first.body.data.role]).toEqual([200, "EDITOR"]);
  expect([repeated.body, repeated.headers.get("idempotency-replayed")]).toEqual([first.body, "true"]);
  for (const answer of [
    await put(`/v0/members/${owner}`, { role: "VIEWER" }),
    await api.delete(`/v0/members/${owner}`),
  ])
    expect([answer.status, answer.body]).toEqual([
      409,
      { message: "This is the last owner: make another member an owner first" },
    ]);
  expect((await api.delete(`/v0/members/${viewer}`)).status).toBe(204);
  expect((await api.get("/v0/members")).body.data.map(({ id }: { id: string }) => id)).toEqual([owner]);
  const { data } = (await api.get(`/v0/audit-log?entityId=${viewer}&orderDir=asc`)).body;
  expect(data.map(({ action }: { action: string }) => action)).toEqual(["UPDATED", "DELETED"]);
  expect(data[0].changes).toMatchObject([{ field: "role", before: "VIEWER", after: "EDITOR" }]);
});

test("a role is one of four", async () => {
  const id = await addMember(tenant, "VIEWER");
  for (const role of ["ADMIN", null, "owner"]) {
    const { status, body } = await put(`/v0/members/${id}`, { role });
    expect([status, body.issues[0].path]).toEqual([400, ["role"]]);
  }
});

test("an invited address gets a mail that says by whom and where to; what is no address is refused", async () => {
  const email = `Grace-${newId()}@Bank.example`;
  const { status, body } = await api.post("/v0/invitations", { email, role: "REVIEWER" });
  expect([status, body.data]).toMatchObject([201, { email: email.toLowerCase(), role: "REVIEWER" }]);
  const [mail] = await mailsWith(email.toLowerCase(), "Support assistant");
  expect(mail?.mail.subject).toBe("Invitation to Support assistant");
  expect(mail?.mail.text).toContain("Sign in with the account of this email address before ");
  expect((await api.post("/v0/invitations", { email: email.toUpperCase(), role: "VIEWER" })).status).toBe(409);
  expect((await api.post("/v0/invitations", { email: "grace", role: "VIEWER" })).status).toBe(400);
  expect((await api.delete(`/v0/invitations/${body.data.id}`)).status).toBe(204);
  expect((await api.delete(`/v0/invitations/${body.data.id}`)).status).toBe(404);
});

test("a key gives no role that may do more than itself", async () => {
  const scopes = ["read", "invitation:write", "member:write"];
  const { key } = (await api.post("/v0/api-keys", { name: "people", scopes })).body.data;
  const limited = api.as({ apiKey: key });
  const invite = (role: string) => limited.post("/v0/invitations", { email: `${role}@example.com`, role });
  expect((await invite("VIEWER")).status).toBe(201);
  for (const role of ["REVIEWER", "EDITOR", "OWNER"]) {
    const { status, body } = await invite(role);
    expect([status, body.message]).toEqual([403, expect.stringContaining("lacks the scope")]);
  }
  const id = await addMember(tenant, "VIEWER");
  expect((await put(`/v0/members/${id}`, { role: "OWNER" }, limited)).status).toBe(403);
});
