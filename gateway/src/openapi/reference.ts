// GET /openapi.json and GET /docs: the API reference for programs and for people. Both are public, and neither makes
// a browser talk to any other host.

import type { FastifyInstance } from "fastify";
import manifest from "../../package.json" with { type: "json" };
import type { Route } from "../rest/routes.ts";
import { openApiDocument } from "./document.ts";
import { documentPath, pagePath, referencePage, scriptPath } from "./page.ts";
import { once, serve, staticAnswer } from "./static-answer.ts";

export async function registerReference(app: FastifyInstance, routes: readonly Route[]): Promise<void> {
  // Nothing is made at start: the document costs a tenth of a second, the page half a second and 40 MB.
  const { version } = manifest;
  const document = once(() => staticAnswer("application/json", JSON.stringify(openApiDocument(routes, { version }))));
  const page = once(referencePage);
  const html = async () => (await page()).html;
  serve(app, documentPath, document);
  serve(app, pagePath, html);
  serve(app, `${pagePath}/`, html);
  serve(app, scriptPath, async () => (await page()).script);
}
