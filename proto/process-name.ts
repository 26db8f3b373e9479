import { type DescService, getOption } from "@bufbuild/protobuf";
import { process } from "./gen/ems/rest/v1/rest_pb.ts";

/** Returns the process that serves a service: from an option, else from the package name, `ems.<process>.v1`. */
export function getProcess(service: DescService): string {
  const named = getOption(service, process);
  if (named !== "") return named;
  const { package: name } = service.file.proto;
  return name.slice(name.indexOf(".") + 1, name.lastIndexOf("."));
}
