import { Code, ConnectError, type Interceptor } from "@connectrpc/connect";
import { histogram } from "./metrics.ts";

const observe = histogram({
  name: "rpc_server_call_duration_seconds",
  help: "How long calls took to answer.",
  labels: ["rpc_system_name", "rpc_method", "rpc_response_status_code"],
});

/** gRPC's name of a code: `NOT_FOUND`. */
export function statusName(code: Code): string {
  return (Code[code] ?? "Unknown").replaceAll(/(?<=[a-z])[A-Z]/g, "_$&").toUpperCase();
}

/** Measures every call that is answered, over whatever transport it came. */
export function metricsInterceptor(): Interceptor {
  return (next) => async (request) => {
    const startedMs = performance.now();
    const tell = (rpc_response_status_code: string) =>
      observe(
        {
          rpc_system_name: "grpc",
          rpc_method: `${request.service.typeName}/${request.method.name}`,
          rpc_response_status_code,
        },
        performance.now() - startedMs,
      );
    try {
      const response = await next(request);
      tell("OK");
      return response;
    } catch (error) {
      tell(statusName(error instanceof ConnectError ? error.code : Code.Internal));
      throw error;
    }
  };
}
