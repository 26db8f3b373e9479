// What a product without a mail relay does with mails, in both shapes.

import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { type Product, type Shape, startProduct } from "../harness/product.ts";

const started: Product[] = [];
afterEach(async () => {
  for (const product of started.splice(0)) await product.remove();
});

test.each<Shape>(["one", "mesh"])(
  "%s: feedback is not sent, and can be read under /mail of the admin port",
  async (shape) => {
    const product = await startProduct(shape);
    started.push(product);
    const { facts } = product;
    const { baseUrl, apiKey = "", applicationId, dataDir } = facts;
    const answer = await fetch(`${baseUrl}/v0/feedback`, {
      method: "POST",
      headers: { "x-api-key": apiKey, "x-application-id": applicationId, "content-type": "application/json" },
      body: JSON.stringify({ feedback: "<i>Keep this</i>" }),
    });
    expect(await answer.json()).toEqual({ success: false });

    const [name = "", ...more] = await readdir(join(dataDir, "mail"));
    expect(more).toEqual([]);
    expect((await stat(join(dataDir, "mail", name))).mode & 0o777).toBe(0o600);
    const mailUrl = await mailUrlOf(product);
    expect(await (await fetch(mailUrl)).text()).toContain(`href="/mail/${name}"`);
    expect(await (await fetch(`${mailUrl}/${name}`)).text()).toContain("&lt;i&gt;Keep this&lt;/i&gt;");
    expect(product.stderr()).not.toContain("Keep this");
  },
);

/** In a mesh the pages are on the admin port of notifications. */
async function mailUrlOf({ facts: { shape, adminUrl, dataDir } }: Product): Promise<string> {
  if (shape === "one") return `${adminUrl}/mail`;
  const { default: processes } = await import(join(dataDir, "mesh.json"), { with: { type: "json" } });
  return `${processes.find(({ name }: { name: string }) => name === "notifications").adminUrl}/mail`;
}
