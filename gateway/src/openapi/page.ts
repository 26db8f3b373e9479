// The page at /docs: Scalar's reference, from our own origin and held to it.

import { hash } from "node:crypto";
import type { FastifyApiReferenceOptions } from "@scalar/fastify-api-reference";
import Fastify from "fastify";
import { type StaticAnswer, staticAnswer } from "./static-file.ts";

export const documentPath = "/openapi.json";
export const pagePath = "/docs";
export const scriptPath = "/docs/scalar.js";

export interface ReferencePage {
  readonly html: StaticAnswer;
  readonly script: StaticAnswer;
}

// Everything in Scalar that loads from, or sends to, its makers' hosts is off. Some of it is on by default only when the
// page is looked at on localhost. The policy below holds the page to its origin even where this list should miss something.
const configuration: NonNullable<FastifyApiReferenceOptions["configuration"]> = {
  url: documentPath,
  cdn: scriptPath,
  pageTitle: "Evaluation Management Service API",
  withDefaultFonts: false,
  telemetry: false,
  // undefined would mean Scalar's own proxy.
  proxyUrl: "",
  hideClientButton: true,
  showDeveloperTools: "never",
  agent: { disabled: true },
  mcp: { disabled: true },
  // Two headers make one way to authenticate: both are shown from the start.
  authentication: { preferredSecurityScheme: [["apiKey", "applicationId"]] },
  persistAuth: false,
  documentDownloadType: "json",
  // As the contract orders them.
  orderSchemaPropertiesBy: "preserve",
  orderRequiredPropertiesFirst: false,
};

/** Scalar's plugin hands out its page and script as routes only: they are asked for once and kept. */
export async function referencePage(): Promise<ReferencePage> {
  const { default: scalar } = await import("@scalar/fastify-api-reference");
  const source = Fastify();
  await source.register(scalar, { routePrefix: pagePath, configuration });
  try {
    const [html, script] = await Promise.all(
      [`${pagePath}/`, `${pagePath}/js/scalar.js`].map((url) => source.inject(url)),
    );
    if (html?.statusCode !== 200 || script?.statusCode !== 200)
      throw new Error("Scalar's plugin does not give its page");
    return {
      html: await staticAnswer("text/html", html.body, pageHeaders(html.body)),
      script: await staticAnswer("text/javascript", withoutEval + script.body),
    };
  } finally {
    await source.close();
  }
}

// zod, inside of Scalar, would first try whether it may evaluate code: the policy refuses that, and browsers report it.
const withoutEval = "globalThis.__zod_globalConfig = { jitless: true };\n";

function pageHeaders(html: string): Record<string, string> {
  return {
    "content-security-policy": contentSecurityPolicy(html),
    "cross-origin-opener-policy": "same-origin",
    "referrer-policy": "no-referrer",
    "x-frame-options": "DENY",
  };
}

/** Scripts are our file and the one inline script, by its hash. Scalar sets styles inline, in elements and attributes. */
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
