import { createHash } from "node:crypto";
import { expect, inject, test } from "vitest";
import { newTenant } from "../harness/tenant.ts";

const { api, apiKey, applicationId } = await newTenant();
const headers = { "x-api-key": apiKey, "x-application-id": applicationId };
const png = Buffer.from("89504e470d0a1a0a0000000d4948445200000001", "hex");

test("binary content is no text, and is downloaded as a file that no browser runs", async () => {
  const content = [{ type: "blob", mime_type: "image/png", content: png.toString("base64") }];
  const event = { type: "llm", event: "start", modelId: "m", input: [{ role: "user", content }] };
  const { body } = await api.post("/v0/ingest", { events: [event] });
  const [{ id }] = body.data;
  const { data: trace } = (await api.get(`/v0/traces/${id}`)).body;
  const hash = createHash("sha256").update(png).digest("hex");
  expect(trace.attachments).toEqual([{ hash, mediaType: "image/png", bytes: 20 }]);
  expect(JSON.stringify(trace.steps)).not.toContain(png.toString("base64"));
  const file = await fetch(`${inject("product").baseUrl}/v0/traces/${id}/attachments/${hash}`, { headers });
  expect(file.status).toBe(200);
  expect(Object.fromEntries(file.headers)).toMatchObject({
    "content-type": "image/png",
    "content-disposition": "attachment",
    "content-security-policy": "default-src 'none'; sandbox",
    "x-content-type-options": "nosniff",
    "cache-control": "no-store",
  });
  expect(Buffer.from(await file.arrayBuffer())).toEqual(png);
  expect(await api.get(`/v0/traces/${id}/attachments/${"0".repeat(64)}`)).toMatchObject({
    status: 404,
    body: { message: "Attachment not found" },
  });
  expect((await api.get(`/v0/traces/${id}/attachments/abc`)).status).toBe(400);
});
