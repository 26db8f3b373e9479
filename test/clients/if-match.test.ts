import { expect, test } from "vitest";
import { newClient } from "./client.ts";
import { make } from "./fixtures.ts";

test("a client that names the version it read changes that version only; one that names none changes any", async () => {
  const client = await newClient();
  const created = await make(client, "POST", "/v0/topics", { title: "Loans" });
  const path = `/v0/topics/${created.data.id}`;
  const change = (title: string, etag?: string | null) =>
    client.send("PUT", path, { body: { title }, ...(etag && { headers: { "if-match": etag } }) });
  const read = (await client.send("GET", path)).headers.get("etag");
  expect(read).toMatch(/^"[^"]+"$/);
  const changed = await change("Mortgages", read);
  expect(changed.status).toBe(200);

  const refused = await change("Savings", read);
  expect(refused).toMatchObject({ status: 412, body: { message: expect.stringMatching(/changed/) } });
  expect(refused.headers.get("etag")).toBe(changed.headers.get("etag"));
  expect((await client.send("GET", path)).body).toMatchObject({ data: { title: "Mortgages" } });
  expect((await change("Savings")).status).toBe(200);
});
