// Test support: every message that a client can meet.

import { readdirSync } from "node:fs";
import { type DescMessage, type DescService, hasOption } from "@bufbuild/protobuf";
import { http } from "@ems/proto/google/api/annotations";

/** All services of the product's protos, found on the disk so that a new one is tested from its first day. */
export async function allServices(): Promise<DescService[]> {
  const root = new URL("../../../../proto/gen/ems/", import.meta.url);
  const files = readdirSync(root, { recursive: true, encoding: "utf8" }).filter((file) =>
    file.endsWith("_service_pb.ts"),
  );
  const modules = await Promise.all(files.map((file): Promise<object> => import(new URL(file, root).href)));
  return modules.flatMap((module) => Object.values(module).filter(isService));
}

/** Every message that a public RPC takes or gives, with those inside them. */
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

function isService(value: unknown): value is DescService {
  return typeof value === "object" && value !== null && "kind" in value && value.kind === "service";
}
