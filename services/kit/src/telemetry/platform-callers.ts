// Metrics of platform callers, by their names in the document.

import type { ConnectError } from "@connectrpc/connect";
import { counter } from "./metrics.ts";
import { getStatusName } from "./rpc.ts";

const count = counter({
  name: "ems_rpc_caller_calls_total",
  help: "Calls of platform callers, including refused ones.",
  labels: ["caller", "rpc_response_status_code"],
});

export const countRefusedToken = counter({
  name: "ems_rpc_caller_refused_total",
  help: "Calls with a refused token.",
  labels: ["reason"],
});

export function countCall(caller: string, error: ConnectError | undefined): void {
  count({ caller, rpc_response_status_code: error === undefined ? "OK" : getStatusName(error) });
}
