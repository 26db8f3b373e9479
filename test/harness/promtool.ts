import { programOf } from "./debian.ts";

/** The path of Prometheus's own checker of rules. */
export function promtoolBinary(): Promise<string> {
  return programOf({
    name: "promtool",
    package: "prometheus",
    path: "usr/bin/promtool",
    advice: "Install promtool, of Prometheus 2.42 or later, from https://prometheus.io, so that PATH has it.",
  });
}
