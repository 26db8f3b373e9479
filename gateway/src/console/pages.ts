// The console's page and files. Every path of a page is answered with the same HTML, whose nonce and policy are its own.

import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import fastifyStatic from "@fastify/static";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { limitDownloads } from "../http/downloads.ts";
import { type Fallback, messageResponse, sendError } from "../http/http-server.ts";

/** Where the build puts its files, from the root of the repository or of the image. */
const builtFolder = "gateway/console/dist";
const assetsPath = "/console/assets/";
/** What the build writes wherever a page carries its nonce. */
const noncePlaceholder = "__CSP_NONCE__";
const otherPaths = /^\/(v\d|docs|console|openapi\.json|livez|readyz)(\/|\?|$)/;

export function registerPages(app: FastifyInstance, folder: string): void {
  const page = async (_request: FastifyRequest, reply: FastifyReply) => sendPage(reply, folder);
  app.register(async (files) => {
    limitDownloads(files);
    files.get("/", page);
    files.setNotFoundHandler((_request, reply) => sendError(reply, messageResponse(404, "Resource not found")));
    // Files have a hash in their names, and lie beside their compressed forms.
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

/** A person who opens a page of the console, of whose paths the gateway knows none. */
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
    return sendError(reply, messageResponse(503, "The console is not built: `npm start` builds it"));
  const nonce = randomBytes(16).toString("base64");
  reply.headers(securityHeaders(nonce)).header("cache-control", "no-store").type("text/html; charset=utf-8");
  return reply.send(html.replaceAll(noncePlaceholder, nonce));
}

/** Styles need the nonce: Mantine writes its variables as a style sheet. Scripts are files of the build only. */
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

/** In the sources and in the image, whose bundles lie in other folders. */
export function builtConsole(): string {
  for (let folder = import.meta.dirname; folder !== dirname(folder); folder = dirname(folder)) {
    if (existsSync(join(folder, "gateway"))) return join(folder, builtFolder);
  }
  return builtFolder;
}
