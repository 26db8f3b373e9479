import { newId } from "@ems/kit/id";
import { expect, test } from "vitest";
import { mailsWith, team } from "../harness/mail-server.ts";
import { newTenant } from "../harness/tenant.ts";

const { api, applicationId } = await newTenant({ user: { name: "Zoë Ada", email: "zoe@bank.example" } });
const about = () => `What I think, ${newId()}: <b>good</b> & short.`;

test("POST /v0/feedback mails the team, with the key owner's address to reply to", async () => {
  const feedback = about();
  const { status, body } = await api.post("/v0/feedback", { feedback });
  expect({ status, body }).toEqual({ status: 200, body: { success: true } });
  const [received, ...more] = await mailsWith(team, feedback);
  expect(more).toEqual([]);
  expect(received?.mail.replyTo).toEqual([{ name: "", address: "zoe@bank.example" }]);
  expect(received?.mail.text).toContain(`Application: ${applicationId}`);
  expect(received?.mail.html).toContain("&lt;b&gt;good&lt;/b&gt; &amp; short.");
});

test("a person without an address can say something too", async () => {
  const other = await newTenant({ user: { name: "Bob" } });
  const feedback = about();
  expect((await other.api.post("/v0/feedback", { feedback })).body).toEqual({ success: true });
  const [received] = await mailsWith(team, feedback);
  expect(received?.mail.replyTo).toBeUndefined();
});

test("a repeat under an Idempotency-Key sends no second mail", async () => {
  const [key, feedback] = [newId(), about()];
  const send = (text = feedback) =>
    api.send("POST", "/v0/feedback", { json: { feedback: text }, headers: { "idempotency-key": key } });
  const first = await send();
  const repeat = await send();
  expect([first.body, repeat.body]).toEqual([{ success: true }, { success: true }]);
  expect([first, repeat].map(({ headers }) => headers.get("idempotency-replayed"))).toEqual([null, "true"]);
  expect((await send(about())).status).toBe(422);
  expect(await mailsWith(team, feedback)).toHaveLength(1);
});

test("1 to 5000 characters, and nothing else", async () => {
  for (const [json, status] of [
    [{ feedback: "x".repeat(5000) }, 200],
    [{ feedback: "x".repeat(5001) }, 400],
    [{ feedback: "" }, 400],
    [{}, 400],
    [{ feedback: about(), to: "eve@evil.example" }, 400],
  ] as const) {
    expect((await api.post("/v0/feedback", json)).status).toBe(status);
  }
  const { body } = await api.post("/v0/feedback", {});
  expect(body.issues).toEqual([{ code: "invalid_type", message: "Required", path: ["feedback"] }]);
});
