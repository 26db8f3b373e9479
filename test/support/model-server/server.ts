import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { scriptedAnswer } from "./answers.ts";
import { errorBody, successBody } from "./protocols.ts";
import { type ModelRequest, readRequest } from "./request.ts";
import type { Step } from "./step.ts";

export interface ModelServer extends AsyncDisposable {
  /** Base URL for connections of every provider. */
  readonly url: string;
  readonly port: number;
  /** All requests, in order of arrival. */
  readonly requests: readonly ModelRequest[];
  /** Current requests, and their maximum. */
  readonly inFlight: { readonly now: number; readonly max: number };
  /** Queues answers for the next requests, one each; they precede `respond`. */
  script(...steps: Step[]): void;
  /** Answers a request. Default: the scripted model. */
  respond: (request: ModelRequest) => Step | undefined;
  close(): Promise<void>;
}

interface ModelServerOptions {
  /** PEM: https instead of http. */
  readonly tls?: { readonly key: string; readonly cert: string };
  readonly host?: string;
  readonly port?: number;
}

/** A model with the protocols of OpenAI (chat completions) and Anthropic (messages). */
export async function modelServer({
  tls,
  host = "127.0.0.1",
  port = 0,
}: ModelServerOptions = {}): Promise<ModelServer> {
  const requests: ModelRequest[] = [];
  const steps: Step[] = [];
  const inFlight = { now: 0, max: 0 };
  const listener: RequestListener = (incoming, outgoing) => {
    inFlight.now++;
    inFlight.max = Math.max(inFlight.max, inFlight.now);
    outgoing.once("close", () => inFlight.now--);
    answer(incoming, outgoing).catch((error: unknown) => {
      outgoing.destroy(error instanceof Error ? error : undefined);
    });
  };
  const answer = async (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const headers = incoming.headers as ModelRequest["headers"];
    const request = readRequest(incoming.url ?? "", headers, await text(incoming));
    requests.push(request);
    await perform(steps.shift() ?? server.respond(request) ?? { kind: "answer" }, request, outgoing);
  };
  const http = tls === undefined ? createServer(listener) : createTlsServer(tls, listener);
  await new Promise<void>((resolve, reject) => http.once("error", reject).listen(port, host, resolve));
  const address = http.address() as AddressInfo;
  const close = () =>
    new Promise<void>((resolve) => {
      http.close(() => resolve());
      http.closeAllConnections();
    });
  const server: ModelServer = {
    url: `${tls === undefined ? "http" : "https"}://${host}:${address.port}/v1`,
    port: address.port,
    requests,
    inFlight,
    script: (...next) => void steps.push(...next),
    respond: () => undefined,
    close,
    [Symbol.asyncDispose]: close,
  };
  return server;
}

async function perform(step: Step, request: ModelRequest, outgoing: ServerResponse): Promise<void> {
  const send = (status: number, body: string | Uint8Array, headers: Readonly<Record<string, string>> = {}) =>
    outgoing.writeHead(status, { "content-type": "application/json", ...headers }).end(body);
  switch (step.kind) {
    case "answer": {
      await delay(step.delayMs);
      const content = step.text ?? JSON.stringify(step.object ?? scriptedAnswer(request));
      send(200, successBody(request, { content, stop: step.stop, usage: step.usage }));
      return;
    }
    case "error":
      await delay(step.delayMs);
      send(step.status, errorBody(request, step), step.headers);
      return;
    case "raw":
      send(step.status ?? 200, step.body, step.headers);
      return;
    case "hang":
      outgoing.writeHead(200, { "content-type": "application/json" }).flushHeaders();
      return;
    case "drip": {
      outgoing.writeHead(200, { "content-type": "application/json" });
      const timer = setInterval(() => outgoing.write(" "), step.everyMs);
      outgoing.once("close", () => clearInterval(timer));
      return;
    }
    case "huge":
      send(200, `{"padding": "${"x".repeat(step.bytes)}"}`);
      return;
    case "reset":
      outgoing.destroy();
  }
}

const delay = (ms = 0) => (ms === 0 ? undefined : new Promise<void>((resolve) => setTimeout(resolve, ms)));
