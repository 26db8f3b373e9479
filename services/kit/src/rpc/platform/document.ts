// Document of platform callers: external services that call a mesh's services for many tenants. YAML or JSON; the same
// for all processes, each of which uses the parts about its own RPCs. It contains no secret.

import { createPrivateKey, type KeyObject } from "node:crypto";
import { parseDocument } from "yaml";
import { z } from "zod";
import { readPublicKey } from "../tokens/keys.ts";
import { tokenMinutesMaxDefault, tokenMinutesMaxMax } from "./token-minutes.ts";

/** A platform caller in the document. */
export interface CallerEntry {
  readonly name: string;
  /** One key, or two during a rotation. */
  readonly keys: readonly KeyObject[];
  /** `ems.catalog.v1.TopicService/ListTopics`, or `ems.catalog.v1.TopicService/*`. */
  readonly rpcs: readonly string[];
  /** Ids of organizations, or `*` for all. */
  readonly organizations: readonly string[];
  /** Ids of applications in lower case; by default all applications of the organizations. */
  readonly applications?: readonly string[] | undefined;
  /** Maximum lifetime of the caller's tokens, in minutes. */
  readonly tokenMinutesMax: number;
  readonly rate: { readonly perMinute: number; readonly burst: number; readonly inFlightMax: number };
}

const publicKey = z.string().transform((text, context) => {
  const key = readPublicKey(text);
  if (key !== undefined) return key;
  const message = isPrivateKey(text)
    ? "is a private key: the document has public keys only, and this key is no longer secret"
    : "must be an Ed25519 public key: PEM, or base64 of DER (SPKI)";
  context.addIssue(message);
  return z.NEVER;
});

const count = (max: number) => z.int().min(1).max(max);

const entry = z.strictObject({
  name: z.string().regex(/^[a-z][a-z0-9-]{0,62}$/, "must be 1-63 small letters, digits and hyphens, a letter first"),
  keys: z.array(publicKey).min(1).max(2),
  rpcs: z
    .array(
      z
        .string()
        .regex(/^[a-z][a-z0-9_.]*\.[A-Z]\w*\/(\*|[A-Z]\w*)$/, "must be package.Service/Method, or package.Service/*"),
    )
    .min(1),
  organizations: z
    .array(z.string().min(1).max(255))
    .min(1)
    .refine((ids) => ids.length === 1 || !ids.includes("*"), "must be ids, or * alone"),
  applications: z.array(z.guid().toLowerCase()).min(1).optional(),
  tokenMinutesMax: count(tokenMinutesMaxMax).default(tokenMinutesMaxDefault),
  rate: z
    .strictObject({
      perMinute: count(1_000_000).default(6_000),
      burst: count(100_000).default(200),
      inFlightMax: count(10_000).default(100),
    })
    .prefault({}),
  // Location of the caller's pods, for the chart's NetworkPolicies.
  from: z.array(z.looseObject({})).optional(),
});

const document = z.strictObject({ callers: z.array(entry) });

/**
 * Reads the document's callers, or returns all of its errors. Names in `reserved`, those of processes, are not allowed.
 */
export function readCallers(
  text: string,
  reserved: readonly string[],
): { callers: readonly CallerEntry[]; faults: readonly string[] } {
  const parsed = parseDocument(text);
  if (parsed.errors.length > 0) {
    return { callers: [], faults: parsed.errors.map(({ code, linePos }) => `line ${linePos?.[0].line ?? 1}: ${code}`) };
  }
  // An empty file is a document without callers.
  const result = document.safeParse(parsed.toJS() ?? { callers: [] });
  if (!result.success) return { callers: [], faults: result.error.issues.map(findFault) };
  const { callers } = result.data;
  const names = callers.map(({ name }) => name);
  const faults = names.flatMap((name, index) => [
    ...(reserved.includes(name) ? [`callers[${index}].name: ${name} is a process of the product`] : []),
    ...(names.indexOf(name) < index ? [`callers[${index}].name: ${name} occurs twice`] : []),
  ]);
  return { callers, faults };
}

function findFault({ path, message }: { readonly path: readonly PropertyKey[]; readonly message: string }): string {
  const place = path.map((part) => (typeof part === "number" ? `[${part}]` : `.${String(part)}`)).join("");
  return `${place.slice(1) || "document"}: ${message}`;
}

function isPrivateKey(text: string): boolean {
  try {
    const isPem = text.includes("-----BEGIN");
    createPrivateKey(isPem ? text : { key: Buffer.from(text, "base64"), format: "der", type: "pkcs8" });
    return true;
  } catch {
    return false;
  }
}
