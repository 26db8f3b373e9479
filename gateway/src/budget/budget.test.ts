// Budgets in front of a blocked handler, over real sockets: bodies and responses held by requests.

import { EventEmitter, once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import type { Clock } from "@ems/kit/clock";
import { Code, ConnectError } from "@ems/kit/errors";
import { testKeys } from "@ems/test-support/rpc-keys";
import Fastify from "fastify";
import { describe, expect, onTestFinished, test } from "vitest";
import { type GatewayConfig, gatewayConfig } from "../config.ts";
import { errorResponse } from "../rest/errors.ts";
import { Budgets, type RequestBudget } from "./budget.ts";

function budgetsWith(config: Partial<GatewayConfig>, clock?: Clock) {
  const budgets = new Budgets({ ...gatewayConfig(testKeys), ...config }, clock);
  onTestFinished(() => budgets.stop());
  return budgets;
}

/** Starts a server whose requests run until `finish` is called. */
async function serverWith(env: Record<string, string>) {
  const app = Fastify({ forceCloseConnections: true });
  onTestFinished(() => app.close());
  const finish = Promise.withResolvers<void>();
  const budgets = budgetsWith(gatewayConfig({ ...testKeys, ...env }));
  const opened = new WeakMap<object, RequestBudget>();
  app.setErrorHandler((error, _request, reply) => {
    const { status, headers, body } = errorResponse(error);
    return reply.code(status).headers(headers).send(body);
  });
  app.post("/", {
    onRequest: async (request, reply) => {
      const budget = budgets.open({ applicationId: String(request.headers["x-application-id"]) });
      opened.set(request, budget);
      await budget.admit(request.raw, reply.raw);
    },
    handler: async (request, reply) => {
      await opened.get(request)?.run(async () => {
        await finish.promise;
        reply.send({ message: "done" });
      });
      return reply;
    },
  });
  await app.listen({ port: 0, host: "127.0.0.1" });
  // The server listens on a port, so its address is an object.
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
    const otherResponses = ["b", "c"].map((application) => send(port, application));
    const last = send(port, "d");
    await expect.poll(last.outcome).toBe("503 Too many requests at once");
    finish();
    await expect
      .poll(() => [...first, ...otherResponses].filter(({ outcome }) => outcome() === "200 done").length)
      .toBe(5);
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

  test("are limited per application; a body in the same packet as its headers does not count", async () => {
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

  test("release their places when complete, and when the client disconnects", async () => {
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

test("a client that disconnects before admission takes no place", async () => {
  const budgets = budgetsWith({ ARRIVING_MAX: 2, ARRIVING_PER_APPLICATION_MAX: 1 });
  const open = () => budgets.open({ applicationId: "a" });
  const outcome = Promise.withResolvers<void>();
  const server = createServer(async (request, response) => {
    request.socket.destroy();
    await once(response, "close");
    open().admit(request, response).then(outcome.resolve, outcome.reject);
  });
  onTestFinished(() => void server.close());
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  // The server listens on a port, so its address is an object.
  const { port } = server.address() as AddressInfo;
  send(port, "a", "{");
  await expect(outcome.promise).rejects.toMatchObject({ code: Code.Canceled });
  await open().admit({ complete: false }, new EventEmitter());
});

/** True if half a body of application `a` is rejected; a response to a later request proves it. */
async function isRejected(port: number): Promise<boolean> {
  const half = send(port, "a", "{");
  await once(half.socket, "connect");
  const next = send(port, "z");
  await expect.poll(next.outcome).toBe("200 done");
  half.socket.destroy();
  return half.outcome() !== undefined;
}

test("a gateway whose clock is wrong answers 503 with Retry-After until the clock is right", () => {
  const clock = { now: () => new Date(), skewMs: 3_600_000 };
  const budgets = budgetsWith({}, clock);
  const refusal = () => {
    try {
      budgets.checkProcess();
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

/** Creates the limits for bytes of request bodies: in total, and per application. */
const createMemory = (all: number, perApplication: number) =>
  budgetsWith({ BODIES_MAX_BYTES: all, BODIES_PER_APPLICATION_MAX_BYTES: perApplication });
const catchCode = (work: () => void) => {
  try {
    work();
    return undefined;
  } catch (error) {
    return ConnectError.from(error).code;
  }
};

test("an application's bodies hold at most its limit, and a refused body counts nothing", () => {
  const memory = createMemory(1_000, 100);
  const [first, second] = [memory.open({ applicationId: "a" }), memory.open({ applicationId: "a" })];
  first.holdBody(60);
  second.holdBody(40);
  expect(catchCode(() => second.holdBody(1))).toBe(Code.ResourceExhausted);
  expect(memory.bodyBytes).toBe(100);
  memory.open({ applicationId: "b" }).holdBody(100);
  expect(memory.bodyBytes).toBe(200);
});

test("an application that holds nothing gets all free bytes; one that holds some gets no more than it leaves to others", () => {
  const memory = createMemory(100, 80);
  const first = memory.open({ applicationId: "a" });
  first.holdBody(50);
  expect(catchCode(() => first.holdBody(1))).toBe(Code.ResourceExhausted);
  const other = memory.open({ applicationId: "b" });
  other.holdBody(50);
  expect(catchCode(() => memory.open({ applicationId: "c" }).holdBody(1))).toBe(Code.Unavailable);
  first.release();
  memory.open({ applicationId: "c" }).holdBody(50);
  expect(memory.bodyBytes).toBe(100);
});

test("a released body frees its bytes, and later bytes of it count nothing", () => {
  const memory = createMemory(100, 100);
  const body = memory.open({ applicationId: "a" });
  body.holdBody(100);
  body.release();
  body.release();
  body.holdBody(100);
  expect(memory.bodyBytes).toBe(0);
  memory.open({ applicationId: "a" }).holdBody(100);
  expect(memory.bodyBytes).toBe(100);
});

describe("unread responses", () => {
  const limits = { ANSWERS_WAITING_MAX_BYTES: 100, ANSWERS_WAITING_PER_APPLICATION_MAX_BYTES: 40 };
  const respond = (budgets: Budgets, applicationId: string, bytes: number, response = new EventEmitter()) =>
    budgets.open({ applicationId }).serialize(response, false, () => Buffer.alloc(bytes));
  /** Returns the error code at the headers of the next request. A read gets the same one before its response. */
  const collectRefusals = async (budgets: Budgets, applicationId: string) => {
    const budget = budgets.open({ applicationId });
    const code = (outcome: Promise<unknown>) =>
      outcome.then(
        () => undefined,
        (error) => ConnectError.from(error).code,
      );
    const admitted = await code(budget.admit({ complete: true }, new EventEmitter()));
    expect(await code(budget.serialize(new EventEmitter(), true, () => ""))).toBe(admitted);
    return admitted;
  };

  test("reject their application at its limit, other applications only at the total limit", async () => {
    const budgets = budgetsWith(limits);
    const first = new EventEmitter();
    await respond(budgets, "a", 39, first);
    expect(await collectRefusals(budgets, "a")).toBeUndefined();
    await respond(budgets, "a", 30);
    expect(await collectRefusals(budgets, "a")).toBe(Code.ResourceExhausted);
    expect(await collectRefusals(budgets, "b")).toBeUndefined();
    first.emit("close");
    expect(await collectRefusals(budgets, "a")).toBeUndefined();
    await respond(budgets, "b", 70);
    // No bytes are free: 503 for an application that has no unread bytes, 429 for one that has some.
    expect(await collectRefusals(budgets, "c")).toBe(Code.Unavailable);
    expect(await collectRefusals(budgets, "a")).toBe(Code.ResourceExhausted);
  });

  test("do not count after their client has disconnected", async () => {
    const budgets = budgetsWith(limits);
    const gone = Object.assign(new EventEmitter(), { closed: true });
    await respond(budgets, "a", 1_000, gone);
    expect(await collectRefusals(budgets, "a")).toBeUndefined();
  });

  test("of one application never hold more than is left for others", async () => {
    const budgets = budgetsWith(limits);
    await respond(budgets, "a", 39);
    await respond(budgets, "b", 31);
    expect(await collectRefusals(budgets, "b")).toBe(Code.ResourceExhausted);
    expect(await collectRefusals(budgets, "c")).toBeUndefined();
  });
});
