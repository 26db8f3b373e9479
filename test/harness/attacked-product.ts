// A product of one test file, with the default limits: the target of attacks.

import { afterAll } from "vitest";
import { startNames } from "./names.ts";
import { natsServerBinary } from "./nats.ts";
import { type Product, type Shape, startProduct } from "./product.ts";
import { newTenant, type TenantNames, type TestTenant } from "./tenant.ts";

export interface Attacked extends Product {
  /** Creates an application in a new organization, with a key. */
  tenant(names?: TenantNames): Promise<TestTenant>;
}

/** Starts it, and removes it after the file's tests (not if called within a test or hook); `env` changes settings. */
export async function startAttacked(shape: Shape = "one", env: Record<string, string> = {}): Promise<Attacked> {
  const nats = { NATS_SERVER: shape === "mesh" ? await natsServerBinary() : "none" };
  const names = await startNames();
  const product = await startProduct(shape, { env: { CONSOLE: "on", ...nats, ...names.env, ...env } });
  afterAll(async () => {
    await product.remove();
    await names.close();
  });
  return { ...product, tenant: (tenantNames = {}) => newTenant(tenantNames, product.facts) };
}
