import { type DescService, getOption } from "@bufbuild/protobuf";
import { process } from "./gen/ems/rest/v1/rest_pb.ts";

/** The process that serves a service: the middle of its package's name, `ems.<process>.v1`, unless an option names another one. */
export function processOf(service: DescService): string {
  const named = getOption(service, process);
  if (named !== "") return named;
  const { package: name } = service.file.proto;
  return name.slice(name.indexOf(".") + 1, name.lastIndexOf("."));
}
