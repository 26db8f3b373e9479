import type { TestProject } from "vitest/node";
import { startMailServer } from "./mail-server.ts";
import { startNames } from "./names.ts";
import { natsServerBinary } from "./nats.ts";
import prepare from "./prepared.ts";
import { type ProductFacts, type Shape, startProduct } from "./product.ts";
import { unlimited } from "./unlimited.ts";

declare module "vitest" {
  interface ProvidedContext {
    product: ProductFacts;
    /** Where the product's mails arrive (mail-server.ts). */
    mailDir: string;
  }
}

/** One product for all files of a project; they keep apart by tenants. */
export async function provideProduct(shape: Shape, { provide }: TestProject): Promise<() => Promise<void>> {
  // The suite asks more, and fails to authenticate more, than any client may; and a machine that is busy with other things
  // holds the product up, which then refuses requests.
  const limits = {
    AUTH_FAILURES_PER_MINUTE: "1000000",
    ...unlimited,
    EVENT_LOOP_DELAY_MAX_MS: "10000",
  };
  const nats = { NATS_SERVER: shape === "mesh" ? await natsServerBinary() : "none" };
  await prepare();
  const mailServer = await startMailServer();
  const names = await startNames();
  const product = await startProduct(shape, { env: { ...limits, ...nats, ...mailServer.env, ...names.env } });
  provide("product", product.facts);
  provide("mailDir", mailServer.dir);
  return async () => {
    await product.remove();
    await mailServer.close();
    await names.close();
  };
}
