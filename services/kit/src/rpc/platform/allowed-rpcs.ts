import { type DescMethod, type DescService, hasOption } from "@bufbuild/protobuf";
import { http } from "@ems/proto/google/api/annotations";

/** Returns true if the RPC is part of the public API. Others must be allowed by their own name. */
export function isPublicRpc(method: DescMethod): boolean {
  return hasOption(method, http);
}

/** Returns the RPCs that `patterns` allow, as `package.Service/Method`, and the errors of the patterns. */
export function allowedRpcs(
  patterns: readonly string[],
  services: readonly DescService[],
): { rpcs: ReadonlySet<string>; faults: readonly string[] } {
  const [rpcs, faults] = [new Set<string>(), [] as string[]];
  for (const pattern of patterns) {
    const [typeName, name] = pattern.split("/");
    const service = services.find((candidate) => candidate.typeName === typeName);
    const methods = (service?.methods ?? []).filter((method) =>
      name === "*" ? isPublicRpc(method) : method.name === name,
    );
    if (service === undefined) faults.push(`there is no service ${typeName}`);
    else if (methods.length === 0) faults.push(`${pattern} matches no RPC`);
    for (const method of methods) rpcs.add(`${typeName}/${method.name}`);
  }
  return { rpcs, faults };
}
