// Registers an API route in Fastify: headers decide before the body is read; JSON becomes the RPC's message and back.

import type { Readable } from "node:stream";
import type { Message } from "@bufbuild/protobuf";
import { unauthenticated } from "@ems/kit/errors";
import { writeJson } from "@ems/kit/json/write";
import { etagHeader, ifMatchHeader, readIfMatch } from "@ems/kit/rpc/etag";
import { idempotencyKeyHeader, readIdempotencyKey, replayedHeader } from "@ems/kit/rpc/idempotency-key";
import { assertResponseFits } from "@ems/kit/rpc/response-size";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { type RequestCredentials, readCredentials } from "../auth/authenticator.ts";
import { sendError } from "../http/http-server.ts";
import type { AdmittedRequest, AdmittingRoute, Pipeline } from "../pipeline.ts";
import { getContentType, isTypeSupported, type ParsedBody, withBody } from "./body.ts";
import { invalidRequestResponse } from "./errors.ts";
import { readRequest } from "./read-request.ts";
import { acceptsIdempotencyKey, acceptsIfMatch, formatLocation, isReadOnly, type Route } from "./routes.ts";
import { streamPages } from "./stream-pages.ts";

type RouteRequest = { Params: Record<string, string>; Body: Buffer | undefined };

/** Entrance to the API: a way to authenticate callers. */
export interface Entrance {
  /** Returns the caller's credentials; throws if the headers lack them. */
  readonly credentials: (request: FastifyRequest, reply: FastifyReply) => RequestCredentials;
  /** Replaces the error of a rejection by headers. */
  readonly refusal?: (error: unknown, reply: FastifyReply) => unknown;
}

export type SelectEntrance = (request: FastifyRequest) => Entrance;

/** Entrance of clients that send the API key in a header. */
export const headerEntrance: Entrance = {
  credentials: ({ headers, routeOptions }) => readCredentials(headers, routeOptions.url),
};

export function registerRoute(
  app: FastifyInstance,
  route: Route,
  pipeline: Pipeline,
  selectEntrance?: SelectEntrance,
): void {
  const hasIdempotencyKey = acceptsIdempotencyKey(route);
  const hasPrecondition = acceptsIfMatch(route);
  const isRead = isReadOnly(route);
  const stopping = new AbortController();
  if (route.isStreamed) app.addHook("preClose", async () => stopping.abort());

  const handle = async (
    request: FastifyRequest<RouteRequest>,
    reply: FastifyReply,
    admitted: AdmittedRequest,
    { value: body, issues: bodyIssues }: ParsedBody,
  ) => {
    const { budget } = admitted;
    await budget.nextTurn();
    const parts = { params: request.params, rawQuery: getRawQuery(request), body, bodyIssues };
    const { message, issues, omitted } = readRequest(route, parts);
    const idempotency = hasIdempotencyKey ? readIdempotencyKey(request.headers[idempotencyKeyHeader]) : {};
    if (idempotency.issue !== undefined) issues.push(idempotency.issue);
    const { ifMatch, issue } = hasPrecondition ? readIfMatch(request.headers[ifMatchHeader]) : {};
    if (issue !== undefined) issues.push(issue);
    if (issues.length > 0) return void sendError(reply, invalidRequestResponse(issues, omitted));

    await budget.nextTurn();
    if (route.isStreamed) {
      const streamed = { route, admitted, message, disconnected: disconnected(reply), stopping: stopping.signal };
      return streamPages(pipeline, streamed, request, reply.headers(downloadHeaders));
    }
    const { message: response, header } = await pipeline.call(route, admitted, message, {
      requestId: request.id,
      idempotencyKey: idempotency.key,
      ifMatch,
      // Cancel a read when the client disconnects, but let a change complete.
      signal: isRead ? disconnected(reply) : undefined,
    });
    if (header.has(replayedHeader)) reply.header(replayedHeader, "true");
    const etag = header.get(etagHeader);
    if (etag !== null) reply.header(etagHeader, etag);
    // Responses may contain keys and personal data: shared caches must not store them.
    reply.code(route.successStatus).header("cache-control", "no-store");
    if (route.location !== undefined) reply.header("location", formatLocation(route, response));
    if (route.successStatus === 204) return void reply.send();
    const serialize = () => {
      if (route.isRawResponse) return rawResponse(response);
      const json = JSON.stringify(writeJson(route.method.output, response));
      assertResponseFits(route.method, response, json);
      return json;
    };
    await budget.nextTurn();
    const requested = route.isRawResponse ? getContentType(request.headers) : undefined;
    const type = route.isDownload ? downloadType(response) : requested;
    reply.type(type ?? "application/json; charset=utf-8");
    if (route.isDownload) reply.headers(downloadHeaders);
    reply.send(await budget.serialize(reply.raw, isRead, serialize));
  };

  app.route<RouteRequest>({
    method: route.httpMethod,
    url: route.fastifyPath,
    config: {
      route,
      receive: async (request, stream) => {
        const { headers } = request;
        if (isTypeSupported(headers, route.mediaTypes)) {
          return getAdmitted(request).budget.receive(stream, headers, route.bodyBytesMax);
        }
        // Clients send a content type even with an empty body.
        if (headers["content-length"] === "0") return undefined;
        throw Object.assign(new Error(), { statusCode: 415 });
      },
    },
    onRequest: async (request, reply) => {
      const entrance = selectEntrance?.(request) ?? headerEntrance;
      const credentials = entrance.credentials(request, reply);
      try {
        request.admitted = await admit(pipeline, route, credentials, request, reply);
      } catch (error) {
        throw entrance.refusal?.(error, reply) ?? error;
      }
    },
    handler: async (request, reply) => {
      const admitted = getAdmitted(request);
      const { budget } = admitted;
      await budget.run(() =>
        withBody(budget, route, request.headers, request.body, (body) => handle(request, reply, admitted, body)),
      );
      return reply;
    },
  });
}

/** Admits or rejects a request by its headers, and sets the rate-limit headers. */
export function admit(
  pipeline: Pipeline,
  route: AdmittingRoute,
  sent: RequestCredentials,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<AdmittedRequest> {
  const { ip: address, id: requestId } = request;
  const credentials = { ...sent, address, requestId, disconnected: () => disconnected(reply) };
  const charged = (headers: Record<string, string>) => void reply.headers(headers);
  return pipeline.admit(route, { credentials, request: request.raw, response: reply.raw, charged });
}

function getAdmitted({ admitted }: Pick<FastifyRequest, "admitted">): AdmittedRequest {
  if (admitted === undefined) throw unauthenticated();
  return admitted;
}

/** Returns the field that `raw_response` names in the proto. */
function rawResponse(response: Message): Buffer {
  const { payload } = response as Message & { payload: Uint8Array };
  return Buffer.from(payload.buffer, payload.byteOffset, payload.byteLength);
}

/** Headers of a file from an application's data: a browser neither runs it nor guesses its type. */
const downloadHeaders = {
  "content-disposition": "attachment",
  "content-security-policy": "default-src 'none'; sandbox",
  "x-content-type-options": "nosniff",
};

function downloadType(response: Message): string {
  const { contentType } = response as Message & { contentType: string };
  return contentType;
}

/** Aborted when the client disconnects before it has its response. */
export function disconnected({ raw }: FastifyReply): AbortSignal {
  const controller = new AbortController();
  raw.once("close", () => {
    if (!raw.writableFinished) controller.abort();
  });
  return controller.signal;
}

function getRawQuery({ url }: FastifyRequest): string {
  const start = url.indexOf("?");
  return start < 0 ? "" : url.slice(start + 1);
}

declare module "fastify" {
  interface FastifyRequest {
    /** Admitted request, set in the onRequest hook. */
    admitted: AdmittedRequest | undefined;
  }
  interface FastifyContextConfig {
    /** RPC of the route: issues name the fields of its input. */
    route?: Route;
    /** Receives the body; if undefined, none is read. */
    receive?: (request: FastifyRequest, stream: Readable) => Promise<unknown>;
  }
}
