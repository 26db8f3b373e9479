// The console's page and files. Every page path returns the same HTML, each time with a new nonce and policy.

import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import fastifyStatic from "@fastify/static";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { limitDownloads } from "../http/downloads.ts";
import { type Fallback, messageResponse, sendError } from "../http/http-server.ts";

/** Output folder of the build, from the root of the repository or of the image. */
const builtFolder = "gateway/console/dist";
const assetsPath = "/console/assets/";
/** Placeholder of the nonce in the built HTML. */
const noncePlaceholder = "__CSP_NONCE__";
const otherPaths = /^\/(v\d|docs|console|openapi\.json|livez|readyz)(\/|\?|$)/;

export function registerPages(app: FastifyInstance, folder: string): void {
  const page = async (_request: FastifyRequest, reply: FastifyReply) => sendPage(reply, folder);
  app.register(async (files) => {
    limitDownloads(files);
    files.get("/", page);
    files.setNotFoundHandler((_request, reply) => sendError(reply, messageResponse(404, "Resource not found")));
    // File names contain a hash, and the compressed forms of the files are in the same folder.
    await files.register(fastifyStatic, {
      root: join(folder, assetsPath),
      prefix: assetsPath,
      preCompressed: true,
      immutable: true,
      maxAge: "365d",
      index: false,
      decorateReply: false,
    });
  });
}

/** Returns the same page for every console path, since the gateway does not know the console's paths. */
export function pageFallback(folder: string): Fallback {
  return { takes: isForPage, send: (reply) => sendPage(reply, folder) };
}

function isForPage({ method, url, headers }: FastifyRequest): boolean {
  const isRead = method === "GET" || method === "HEAD";
  return isRead && headers.accept?.includes("text/html") === true && !otherPaths.test(url);
}

async function sendPage(reply: FastifyReply, folder: string): Promise<FastifyReply> {
  const html = await readFile(join(folder, "index.html"), "utf8").catch(() => undefined);
  if (html === undefined)
    return sendError(reply, messageResponse(503, "The console is not built: run `npm start` to build it"));
  const nonce = randomBytes(16).toString("base64");
  reply.headers(securityHeaders(nonce)).header("cache-control", "no-store").type("text/html; charset=utf-8");
  return reply.send(html.replaceAll(noncePlaceholder, nonce));
}

/**
 * Styles need the nonce because Mantine writes its variables as a style sheet. Scripts come only from the build's
 * files.
 */
function securityHeaders(nonce: string): Record<string, string> {
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types default",
  ];
  return {
    "content-security-policy": policy.join("; "),
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()",
    "referrer-policy": "same-origin",
    "x-frame-options": "DENY",
  };
}

/** Finds the build's folder, both in the source tree and in the image, where bundles are in other folders. */
export function builtConsole(): string {
  for (let folder = import.meta.dirname; folder !== dirname(folder); folder = dirname(folder)) {
    if (existsSync(join(folder, "gateway"))) return join(folder, builtFolder);
  }
  return builtFolder;
}
