// The rules that messages declare (buf.validate), checked by protovalidate.

import { createRegistry, type DescMessage, type Message } from "@bufbuild/protobuf";
import { createValidator, type Violation } from "@bufbuild/protovalidate";
import { file_ems_rest_v1_rest } from "@ems/proto/rest/v1/rest";

// One for the process: it keeps the compiled rules of every type it has seen.
const validator = createValidator({ registry: createRegistry(file_ems_rest_v1_rest), regexMatch });

// Messages that kept all their rules. In one process the gateway and the service check the very same object, and nobody
// changes a message once it is sent.
const kept = new WeakSet<Message>();

/** The rules that `message` breaks. A rule that cannot be evaluated is a defect of the contract and thrown. */
export function findViolations(desc: DescMessage, message: Message): Violation[] {
  if (kept.has(message)) return [];
  const result = validator.validate(desc, message);
  if (result.kind === "error") throw result.error;
  if (result.kind === "valid") kept.add(message);
  return result.violations ?? [];
}

// The patterns are those of our own protos, none of which backtracks; the default engine, RE2 in JavaScript, takes four
// times as long over an id.
const patterns = new Map<string, RegExp>();

function regexMatch(pattern: string, against: string): boolean {
  let compiled = patterns.get(pattern);
  if (compiled === undefined) {
    compiled = new RegExp(pattern, "u");
    patterns.set(pattern, compiled);
  }
  return compiled.test(against);
}
