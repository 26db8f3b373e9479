import { type DescMessage, type DescService, hasOption } from "@bufbuild/protobuf";
import { http } from "@ems/proto/google/api/annotations";

/** Every message that a public RPC accepts or returns, including nested ones. */
export function publicMessages(services: readonly DescService[]): DescMessage[] {
  const seen = new Set<DescMessage>();
  for (const { methods } of services) {
    for (const method of methods) {
      if (!hasOption(method, http)) continue;
      reach(method.input, seen);
      reach(method.output, seen);
    }
  }
  return [...seen];
}

function reach(desc: DescMessage, seen: Set<DescMessage>): void {
  if (seen.has(desc) || desc.typeName.startsWith("google.")) return;
  seen.add(desc);
  for (const { message } of desc.fields) if (message !== undefined) reach(message, seen);
}
