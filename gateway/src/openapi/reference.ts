// GET /openapi.json and GET /docs: the API reference for programs and for people. Both are public, and neither makes
// a browser talk to any other host.

import type { FastifyInstance } from "fastify";
import manifest from "../../package.json" with { type: "json" };
import { limitDownloads } from "../limits/downloads.ts";
import type { RatePolicies } from "../limits/rate-limits.ts";
import type { Route } from "../rest/routes.ts";
import { openApiDocument } from "./document.ts";
import { documentPath, pagePath, referencePage, scriptPath } from "./page.ts";
import { once, serve, staticAnswer } from "./static-file.ts";

export async function registerReference(
  app: FastifyInstance,
  routes: readonly Route[],
  policies: RatePolicies,
): Promise<void> {
  // Nothing is made at start: the document costs a tenth of a second, the page half a second and 40 MB.
  const { version } = manifest;
  const made = () => JSON.stringify(openApiDocument(routes, { version, policies }));
  const document = once(() => staticAnswer("application/json", made()));
  const page = once(referencePage);
  const html = async () => (await page()).html;
  await app.register(async (reference) => {
    limitDownloads(reference);
    serve(reference, documentPath, document);
    serve(reference, pagePath, html);
    serve(reference, `${pagePath}/`, html);
    serve(reference, scriptPath, async () => (await page()).script);
  });
}
