// The page at /docs: Scalar's API reference, served from and restricted to this origin.

import { hash } from "node:crypto";
import type { FastifyApiReferenceOptions } from "@scalar/fastify-api-reference";
import Fastify from "fastify";
import { type StaticFile, staticFile } from "./static-file.ts";

export const documentPath = "/openapi.json";
export const pagePath = "/docs";
export const scriptPath = "/docs/scalar.js";

export interface ReferencePage {
  readonly html: StaticFile;
  readonly script: StaticFile;
}

// Turns off everything in Scalar that contacts its vendor's hosts; some of it is on by default on localhost only. The
// content security policy below also blocks what this list may miss.
const configuration: NonNullable<FastifyApiReferenceOptions["configuration"]> = {
  url: documentPath,
  cdn: scriptPath,
  pageTitle: "Evaluation Management Service API",
  withDefaultFonts: false,
  telemetry: false,
  // Without a value, Scalar would use its own proxy.
  proxyUrl: "",
  hideClientButton: true,
  showDeveloperTools: "never",
  agent: { disabled: true },
  mcp: { disabled: true },
  // Both headers together form one scheme.
  authentication: { preferredSecurityScheme: [["apiKey", "applicationId"]] },
  persistAuth: false,
  documentDownloadType: "json",
  // Keep the order of the proto.
  orderSchemaPropertiesBy: "preserve",
  orderRequiredPropertiesFirst: false,
};

/** Scalar's plugin exposes its page and script as routes only, so they are fetched from it once. */
export async function referencePage(): Promise<ReferencePage> {
  const { default: scalar } = await import("@scalar/fastify-api-reference");
  const source = Fastify();
  await source.register(scalar, { routePrefix: pagePath, configuration });
  try {
    const [html, script] = await Promise.all(
      [`${pagePath}/`, `${pagePath}/js/scalar.js`].map((url) => source.inject(url)),
    );
    if (html?.statusCode !== 200 || script?.statusCode !== 200)
      throw new Error("Scalar's plugin does not serve its page");
    return {
      html: await staticFile("text/html", html.body, pageHeaders(html.body)),
      script: await staticFile("text/javascript", withoutEval + script.body.replaceAll(placeholder, "")),
    };
  } finally {
    await source.close();
  }
}

// Scalar shows this joke in base64 as the placeholder of a credential.
const placeholder = "QUxMIFlPVVIgQkFTRSBBUkUgQkVMT05HIFRPIFVT";

// Scalar's bundled zod would probe eval, which the policy blocks and browsers report.
const withoutEval = "globalThis.__zod_globalConfig = { jitless: true };\n";

function pageHeaders(html: string): Record<string, string> {
  return {
    "content-security-policy": contentSecurityPolicy(html),
    "cross-origin-opener-policy": "same-origin",
    "referrer-policy": "no-referrer",
    "x-frame-options": "DENY",
  };
}

/** Allows the script file and the inline script by its hash; Scalar needs inline styles. */
function contentSecurityPolicy(html: string): string {
  const inline = [...html.matchAll(/<script(?![^>]*\ssrc=)[^>]*>([\s\S]*?)<\/script>/g)].map(
    ([, script = ""]) => script,
  );
  const hashes = inline.map((script) => `'sha256-${hash("sha256", script, "base64")}'`);
  return [
    "default-src 'self'",
    `script-src ${["'self'", ...hashes].join(" ")}`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "connect-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join("; ");
}
