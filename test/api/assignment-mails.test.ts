// People get a mail about their assignments, in both shapes of the product.

import { newId } from "@ems/kit/id";
import { expect, test } from "vitest";
import { mailsWith } from "../harness/mail-server.ts";
import { newTenant } from "../harness/tenant.ts";

const organisation = `Bank ${newId()}`;
const people = ["Ada", "Ben"].map((name) => ({ name, email: `${name.toLowerCase()}-${newId()}@bank.example` }));
const [ada, ben] = people as [{ name: string; email: string }, { name: string; email: string }];
const { api } = await newTenant({ organisation, user: ada });
await newTenant({ organisation, user: ben });
await newTenant({ organisation, user: { name: "Cy" } });
const users: { id: string; name: string }[] = (await api.get("/v0/users")).body.data;
const getId = (name: string) => users.find((user) => user.name === name)?.id ?? "";

async function newQuickstart(title: string): Promise<string> {
  return (await api.post("/v0/quickstarts", { title })).body.data.id;
}

test("a call with 1000 assignments sends one mail per person; people without an address get none", async () => {
  const title = `First <review> ${newId()}`;
  const id = await newQuickstart(title);
  const topicIds: string[] = [];
  const newTopic = async () => (await api.post("/v0/topics", { title: "Reviewed" })).body.data.id;
  // In batches: a service accepts 250 concurrent calls.
  while (topicIds.length < 500) topicIds.push(...(await Promise.all(Array.from({ length: 100 }, newTopic))));
  const names = ["Ada", "Ben", "Cy"];
  const assignments = topicIds.flatMap((topicId, at) => [
    { stage: "KB_REVIEW", topicId, assignedTo: getId(names[at % 3] ?? "") },
    { stage: "TASKS_TOPICS_REVIEW", topicId, assignedTo: getId("Ada") },
  ]);
  const { body } = await api.post(`/v0/quickstarts/${id}/assignments/bulk`, { assignments });
  expect(body).toEqual({ count: 1000 });
  const [toBen] = await mailsWith(ben.email, title);
  const [toAda] = await mailsWith(ada.email, title);
  expect(toBen?.mail.subject).toBe(`167 reviews assigned: ${title}`);
  expect(toAda?.mail.subject).toBe(`667 reviews assigned: ${title}`);
  expect(toAda?.mail.text).toContain("Knowledge base review: 167 topics\nReview of tasks and topics: 500 topics");
  expect(toAda?.mail.html).toContain("First &lt;review&gt;");
  // A repeat changes nothing and sends no mail. The next mail arrives, so none of the repeat is still queued.
  await api.post(`/v0/quickstarts/${id}/assignments/bulk`, { assignments });
  const { data } = (await api.post("/v0/experiments", { title: "After that", assignee: getId("Ben") })).body;
  await mailsWith(ben.email, data.id);
  for (const { email } of [ada, ben]) expect(await mailsWith(email, title)).toHaveLength(1);
});

test("assignees of a contradiction or an experiment get a mail", async () => {
  const id = await newQuickstart(`Contradictions ${newId()}`);
  const found = { documentTestId: newId(), documentAId: newId(), documentBId: newId() };
  const contradiction = { ...found, reason: "surcharges differ", passageA: "no surcharge", passageB: "a surcharge" };
  const answer = await api.post(`/v0/quickstarts/${id}/contradictions`, { contradictions: [contradiction] });
  const [{ id: contradictionId }] = answer.body.data;
  const path = `/v0/quickstarts/${id}/contradictions/${contradictionId}`;
  expect((await api.send("PUT", path, { json: { assignedTo: getId("Ben") } })).status).toBe(200);
  const [received] = await mailsWith(ben.email, contradictionId);
  expect(received?.mail.subject).toMatch(/^Contradiction assigned: Contradictions/);
  expect(received?.raw).not.toContain("surcharge");

  const title = `Shorter prompts ${newId()}`;
  const { data } = (await api.post("/v0/experiments", { title, assignee: getId("Ada") })).body;
  const [mail] = await mailsWith(ada.email, data.id);
  expect(mail?.mail.subject).toBe(`Experiment assigned: ${title}`);
});
