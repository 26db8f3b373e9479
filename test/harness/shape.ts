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
    /** Directory of the product's mails (mail-server.ts). */
    mailDir: string;
  }
}

export interface TestProduct {
  readonly facts: ProductFacts;
  readonly mailDir: string;
  remove(): Promise<void>;
}

interface Shared {
  readonly started: Promise<TestProduct>;
  projects: number;
}

// One for all projects, each of which loads this module separately: even idle, a mesh uses a seventh of a core.
const everywhere = globalThis as { emsTestProducts?: Map<Shape, Shared> };
everywhere.emsTestProducts ??= new Map();
const running = everywhere.emsTestProducts;

/** One product for all files of the projects with that shape; each file has its own tenants. */
export async function provideProduct(shape: Shape, { provide }: TestProject): Promise<() => Promise<void>> {
  const product = running.get(shape) ?? { started: startTestProduct(shape), projects: 0 };
  running.set(shape, product);
  product.projects += 1;
  const { facts, mailDir, remove } = await product.started;
  provide("product", facts);
  provide("mailDir", mailDir);
  return async () => {
    product.projects -= 1;
    if (product.projects > 0) return;
    running.delete(shape);
    await remove();
  };
}

/** Starts a product without limits, with a mail server and name servers of its own. The caller removes it. */
export async function startTestProduct(shape: Shape): Promise<TestProduct> {
  // The suite sends more requests, and more failing authentications, than the limits allow; and other work on the machine
  // slows the product down, which then refuses requests.
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
  return {
    facts: product.facts,
    mailDir: mailServer.dir,
    async remove() {
      await product.remove();
      await mailServer.close();
      await names.close();
    },
  };
}
