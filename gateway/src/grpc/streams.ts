// RPCs whose answers are a stream, in all protocols by Connect's router; and health, which needs no key.

import { create } from "@bufbuild/protobuf";
import { createConnectRouter } from "@connectrpc/connect";
import type { UniversalServerResponse } from "@connectrpc/connect/protocol";
import type { Health as ProcessHealth } from "@ems/kit/health";
import { Health, HealthCheckResponse_ServingStatus, HealthCheckResponseSchema } from "@ems/proto/grpc/health/v1/health";
import type { Exchange } from "./exchange.ts";
import type { Outcome } from "./outcome.ts";

/** Serves an exchange to its end. */
export type StreamHandler = (exchange: Exchange, outcome: Outcome) => Promise<void>;

/** A request is a name or a filter. */
const requestBytesMax = 64 * 1024;

export function streamHandlers(health: ProcessHealth): ReadonlyMap<string, StreamHandler> {
  const router = createConnectRouter({ readMaxBytes: requestBytesMax, acceptCompression: [] });
  router.rpc(Health.method.check, async () => {
    const isReady = (await health.notReadyReason()) === undefined;
    const { SERVING, NOT_SERVING } = HealthCheckResponse_ServingStatus;
    return create(HealthCheckResponseSchema, { status: isReady ? SERVING : NOT_SERVING });
  });
  return new Map(
    router.handlers.map((handle) => [
      handle.requestPath,
      async (exchange) => {
        const signal = closed(exchange);
        const { method, httpVersion, url, headers, body } = exchange;
        const header = new Headers();
        for (const [name, value] of Object.entries(headers)) {
          if (typeof value === "string" && !name.startsWith(":")) header.set(name, value);
        }
        const universalUrl = new URL(url, "http://localhost").toString();
        const response = await handle({ method, httpVersion, url: universalUrl, header, body, signal });
        await exchange.stream(answerOf(response));
      },
    ]),
  );
}

function answerOf({ status, header = new Headers(), body, trailer }: UniversalServerResponse) {
  return { status, headers: Object.fromEntries(header), body, trailers: () => Object.fromEntries(trailer ?? []) };
}

function closed({ response }: Exchange): AbortSignal {
  const controller = new AbortController();
  response.once("close", () => controller.abort());
  return controller.signal;
}
