import type { ProductFacts } from "../harness/product.ts";

/** Lists the topics of a product, or creates one with `body`. */
export async function requestTopics(
  { facts: { baseUrl, applicationId } }: { readonly facts: ProductFacts },
  apiKey = "",
  body?: object,
): Promise<unknown> {
  const response = await fetch(`${baseUrl}/v0/topics`, {
    headers: { "x-api-key": apiKey, "x-application-id": applicationId, "content-type": "application/json" },
    ...(body && { method: "POST", body: JSON.stringify(body) }),
  });
  return ((await response.json()) as { data: unknown }).data;
}
