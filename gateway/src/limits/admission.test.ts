// Admission control in front of a blocked handler, over real sockets.

import { once } from "node:events";
import { type AddressInfo, connect } from "node:net";
import { EventLoopYield } from "@ems/kit/limits/event-loop-yield";
import { testKeys } from "@ems/test-support/rpc-keys";
import Fastify from "fastify";
import { describe, expect, onTestFinished, test } from "vitest";
import { gatewayConfig } from "../config.ts";
import { errorResponse } from "../rest/errors.ts";
import { Admission } from "./admission.ts";

/** A server whose requests run until `finish` is called. */
async function serverWith(env: Record<string, string>) {
  const app = Fastify({ forceCloseConnections: true });
  onTestFinished(() => app.close());
  const finish = Promise.withResolvers<void>();
  const admission = new Admission(gatewayConfig({ ...testKeys, ...env }), new EventLoopYield());
  app.addHook("onClose", async () => admission.stop());
  const arrivals = new WeakMap<object, () => void>();
  app.setErrorHandler((error, _request, reply) => {
    const { status, headers, body } = errorResponse(error);
    return reply.code(status).headers(headers).send(body);
  });
  app.post("/", {
    onRequest: async (request, reply) => {
      const applicationId = String(request.headers["x-application-id"]);
      arrivals.set(request, await admission.admitBody(applicationId, request.raw, reply.raw));
    },
    handler: async (request, reply) => {
      arrivals.get(request)?.();
      await admission.run(String(request.headers["x-application-id"]), async () => {
        await finish.promise;
        reply.send({ message: "done" });
      });
      return reply;
    },
  });
  await app.listen({ port: 0, host: "127.0.0.1" });
  // It listens on a port, not on a pipe.
  const { port } = app.server.address() as AddressInfo;
  return { port, finish: finish.resolve };
}

const body = '{"a":1}';

function send(port: number, application: string, part = body) {
  const socket = connect(port, "127.0.0.1");
  let received = "";
  socket.on("data", (chunk) => (received += chunk)).on("error", () => undefined);
  socket.write(
    `POST / HTTP/1.1\r\nhost: a\r\nx-application-id: ${application}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${part}`,
  );
  onTestFinished(() => void socket.destroy());
  return { socket, outcome: () => /^HTTP\/1.1 (\d+).*"message":"([^"]*)"/s.exec(received)?.slice(1).join(" ") };
}

describe("running requests", () => {
  test("are limited per application and in total", async () => {
    const { port, finish } = await serverWith({ IN_FLIGHT_MAX: "5", IN_FLIGHT_PER_APPLICATION_MAX: "3" });
    const first = ["a", "a", "a", "a"].map((application) => send(port, application));
    await expect
      .poll(() => first.map(({ outcome }) => outcome()))
      .toContain("429 Too many requests of this application at once");
    const others = ["b", "c"].map((application) => send(port, application));
    const last = send(port, "d");
    await expect.poll(last.outcome).toBe("503 Too many requests at once");
    finish();
    await expect.poll(() => [...first, ...others].filter(({ outcome }) => outcome() === "200 done").length).toBe(5);
  });

  test("do not include requests whose body is arriving", async () => {
    const { port, finish } = await serverWith({ IN_FLIGHT_MAX: "2" });
    for (const application of ["a", "b", "c", "d"]) send(port, application, "{");
    finish();
    const whole = send(port, "e");
    await expect.poll(whole.outcome).toBe("200 done");
  });
});

describe("arriving bodies", () => {
  const limits = { ARRIVING_MAX: "5", ARRIVING_PER_APPLICATION_MAX: "2" };

  test("are limited per application; a body in one packet with its headers does not count", async () => {
    const { port, finish } = await serverWith(limits);
    finish();
    const halves = ["a", "a", "a"].map((application) => send(port, application, "{"));
    await expect
      .poll(() => halves.map(({ outcome }) => outcome()))
      .toContain("429 Too many request bodies of this application at once");
    expect(halves.filter(({ outcome }) => outcome() === undefined).length).toBe(2);
    const whole = send(port, "a");
    await expect.poll(whole.outcome).toBe("200 done");
  });

  test("free their places when they are complete, and when the client disconnects", async () => {
    const { port, finish } = await serverWith(limits);
    finish();
    const [first, second] = [send(port, "a", "{"), send(port, "a", "{")];
    await expect.poll(() => isRejected(port)).toBe(true);
    first.socket.write(body.slice(1));
    await expect.poll(first.outcome).toBe("200 done");
    second.socket.destroy();
    const isRoomForTwo = async () => {
      const half = send(port, "a", "{");
      const isFull = await isRejected(port);
      half.socket.destroy();
      return !isFull;
    };
    await expect.poll(isRoomForTwo).toBe(true);
  });
});

/** Whether half a body of application `a` is rejected, which is certain once a later request has its response. */
async function isRejected(port: number): Promise<boolean> {
  const half = send(port, "a", "{");
  await once(half.socket, "connect");
  const next = send(port, "z");
  await expect.poll(next.outcome).toBe("200 done");
  half.socket.destroy();
  return half.outcome() !== undefined;
}

test("a gateway whose clock is wrong answers 503 with Retry-After until it is right", () => {
  const clock = { now: () => new Date(), skewMs: 3_600_000 };
  const admission = new Admission(gatewayConfig(testKeys), new EventLoopYield(), clock);
  onTestFinished(() => admission.stop());
  const refusal = () => {
    try {
      admission.checkClock();
      return undefined;
    } catch (error) {
      const { status, headers } = errorResponse(error);
      return [status, headers["retry-after"]];
    }
  };
  expect(refusal()).toEqual([503, "1"]);
  clock.skewMs = 0;
  expect(refusal()).toBeUndefined();
});
