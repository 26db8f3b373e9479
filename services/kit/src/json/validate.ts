// Validation of messages by their declared rules (buf.validate).

import { createRegistry, type DescMessage, type Message } from "@bufbuild/protobuf";
import { createValidator, type Violation } from "@bufbuild/protovalidate";
import { file_ems_rest_v1_rest } from "@ems/proto/rest/v1/rest";
import { RE2JS } from "re2js";
import { shortenForRules } from "./shorten-for-rules.ts";
import { rejectElements } from "./tolerant.ts";

// One validator per process, because it caches the compiled rules of every type.
const validator = createValidator({ registry: createRegistry(file_ems_rest_v1_rest), regexMatch });

// Valid messages: within one process, gateway and service validate the same object, which is immutable once sent.
const validated = new WeakSet<Message>();

/**
 * Replaces invalid elements of tolerant lists. Throws if a rule cannot be evaluated, which is an error in the contract.
 */
export function findViolations(desc: DescMessage, message: Message): Violation[] {
  if (validated.has(message)) return [];
  const restore = shortenForRules(desc, message);
  const result = validator.validate(desc, message);
  restore();
  if (result.kind === "error") throw result.error;
  const violations = rejectElements(desc, message, result.violations ?? []);
  if (violations.length === 0) validated.add(message);
  return violations;
}

// Native engine: the protos' patterns do not backtrack; RE2JS, the default, takes four times as long for an id.
const patterns = new Map<string, { test(text: string): boolean }>();
const hasFlags = /\(\?[a-z-]+[:)]/;

function regexMatch(pattern: string, against: string): boolean {
  let compiled = patterns.get(pattern);
  if (compiled === undefined) {
    // V8 ignores the flags of a group with alternatives, such as `(?i:host|te)`, in a process that has compiled many
    // patterns, when it compiles further ones without optimization (reproduce with `--no-regexp-optimization`).
    compiled = hasFlags.test(pattern) ? RE2JS.compile(pattern) : new RegExp(pattern, "u");
    patterns.set(pattern, compiled);
  }
  return compiled.test(against);
}
