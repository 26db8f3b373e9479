import { ConnectError, internalError } from "../errors.ts";
import { newId } from "../id.ts";
import { chooseRequestId, requestIdHeader } from "./call.ts";
import { challengeHeader } from "./grpc-metadata.ts";

/** Error for a refused token, with the call's request id and the required credentials. */
export function refusal(thrown: unknown, requestId: unknown): ConnectError {
  const error = thrown instanceof ConnectError ? thrown : internalError(thrown);
  error.metadata.set(requestIdHeader, chooseRequestId(requestId, newId));
  error.metadata.set(challengeHeader, "Bearer");
  return error;
}
