// Errors over gRPC. A client repeats UNAVAILABLE and, if a RetryInfo says when, RESOURCE_EXHAUSTED.

import type { DescMessage } from "@bufbuild/protobuf";
import { forClients } from "@ems/kit/error-details";
import type { ConnectError } from "@ems/kit/errors";
import { publicError } from "../public-error.ts";

/** `input` is the RPC's request, whose fields the error names. */
export function grpcError(thrown: unknown, input?: DescMessage): ConnectError {
  return forClients(publicError(thrown), input);
}
