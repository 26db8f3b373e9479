// GET /openapi.json and GET /docs: the API reference, public and without requests to other hosts.

import type { FastifyInstance } from "fastify";
import manifest from "../../package.json" with { type: "json" };
import type { GatewayConfig } from "../config.ts";
import { limitDownloads } from "../http/downloads.ts";
import type { Route } from "../rest/routes.ts";
import { documentPath, pagePath, referencePage, scriptPath } from "./page.ts";
import { memoize, serve, staticFile } from "./static-file.ts";

export async function registerReference(
  app: FastifyInstance,
  routes: readonly Route[],
  config: GatewayConfig,
): Promise<void> {
  // Generated on first use, to save 0.1 s and 2 MB of text for the document, 0.5 s and 40 MB for the page.
  const { version } = manifest;
  const document = memoize(async () => {
    const { openApiDocument } = await import("./document.ts");
    return staticFile("application/json", JSON.stringify(openApiDocument(routes, { version, config })));
  });
  const page = memoize(referencePage);
  const html = async () => (await page()).html;
  await app.register(async (reference) => {
    limitDownloads(reference);
    serve(reference, documentPath, document);
    serve(reference, pagePath, html);
    serve(reference, `${pagePath}/`, html);
    serve(reference, scriptPath, async () => (await page()).script);
  });
}
