import type { TestProject } from "vitest/node";
import { type ProductFacts, type Shape, startProduct } from "./product.ts";

declare module "vitest" {
  interface ProvidedContext {
    product: ProductFacts;
  }
}

/** One product for all files of a project; they keep apart by tenants. */
export async function provideProduct(shape: Shape, { provide }: TestProject): Promise<() => Promise<void>> {
  // The suite fails to authenticate on purpose, from one address, more often than any client may.
  const product = await startProduct(shape, { env: { AUTH_FAILURES_PER_MINUTE: "1000000" } });
  provide("product", product.facts);
  return () => product.remove();
}
