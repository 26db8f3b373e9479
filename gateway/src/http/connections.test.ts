// Connection limits of a real server.

import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { newId } from "@ems/kit/id";
import { testKeys } from "@ems/test-support/rpc-keys";
import { describe, expect, onTestFinished, test } from "vitest";
import { gatewayConfig } from "../config.ts";
import { AddressLimit, Connections } from "./connections.ts";

async function serverWith(handle: (request: IncomingMessage, response: ServerResponse) => void, env = {}) {
  const config = gatewayConfig({ ...testKeys, ...env });
  const connections = new Connections(config, newId, new AddressLimit(config));
  const server = connections.server(handle);
  server.on("clientError", (error, socket) => connections.writeParseError(error, socket as Socket));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    connections.stop();
    server.closeAllConnections();
    server.close();
  });
  // The server listens on a port, so its address is an object.
  return (server.address() as AddressInfo).port;
}

function client(port: number, text: string) {
  const socket = connect(port, "127.0.0.1");
  let received = "";
  socket.on("data", (chunk) => (received += chunk)).on("error", () => undefined);
  const closed = once(socket, "close");
  socket.write(text);
  onTestFinished(() => void socket.destroy());
  return { socket, received: () => received, closed };
}

const get = (path: string | number) => `GET /${path} HTTP/1.1\r\nhost: a\r\n\r\n`;
const many = (count: number) => Array.from({ length: count }, (_, index) => get(index)).join("");

describe("pipelined requests", () => {
  test("run eight at a time, and their responses keep the order", async () => {
    const responses: ServerResponse[] = [];
    const port = await serverWith((_request, response) => responses.push(response));
    const { received } = client(port, many(30));
    await expect.poll(() => responses.length).toBe(8);
    for (const index of [7, 6, 5, 4, 3, 2, 1]) responses[index]?.end(`<${index}>`);
    expect([responses.length, received()]).toEqual([8, ""]);
    responses[0]?.end("<0>");
    for (let index = 8; index < 30; index++) {
      await expect.poll(() => responses.length).toBeGreaterThan(index);
      responses[index]?.end(`<${index}>`);
    }
    await expect.poll(received).toContain("<29>");
    const order = [...received().matchAll(/<(\d+)>/g)].map(([, number]) => Number(number));
    expect(order).toEqual(Array.from({ length: 30 }, (_, index) => index));
  });

  test("over a kept-alive connection are unlimited in sequence", async () => {
    const port = await serverWith((request, response) => response.end(`<${request.url}>`));
    const { socket, received } = client(port, "");
    for (let round = 0; round < 10; round++) {
      socket.write(many(40));
      await expect.poll(() => received().split("</39>").length).toBe(round + 2);
    }
  });

  test("a body behind queued requests is read in its turn", async () => {
    const responses: ServerResponse[] = [];
    const body = "x".repeat(500_000);
    let length = 0;
    const port = await serverWith((request, response) => {
      if (request.method === "GET") responses.push(response);
      else request.on("data", (chunk) => (length += chunk.length)).on("end", () => response.end("<all>"));
    });
    const head = `POST / HTTP/1.1\r\nhost: a\r\ncontent-length: ${body.length}\r\n\r\n`;
    const { received } = client(port, many(10) + head + body + get("last"));
    for (let index = 0; index < 11; index++) {
      await expect.poll(() => responses.length).toBeGreaterThan(index);
      responses[index]?.end(`<${index}>`);
    }
    await expect.poll(received).toContain("<10>");
    expect(received()).toMatch(/<9>[^<]*<all>[^<]*<10>/);
    expect(length).toBe(body.length);
  });

  test("too many at once end the connection and their requests", async () => {
    const responses: ServerResponse[] = [];
    const port = await serverWith((_request, response) => responses.push(response));
    const { closed } = client(port, many(200));
    await closed;
    expect(responses.length).toBeLessThanOrEqual(8);
    await expect.poll(() => responses.every(({ closed: isClosed }) => isClosed)).toBe(true);
  });
});

test("connections are limited per address, and closed ones release their places", async () => {
  const port = await serverWith((_request, response) => response.end("<ok>"), { CONNECTIONS_PER_ADDRESS_MAX: "2" });
  const [first, second] = [client(port, get("a")), client(port, get("b"))];
  await expect.poll(() => first.received() + second.received()).toMatch(/<ok>.*<ok>/s);
  const third = client(port, get("c"));
  await third.closed;
  expect(third.received()).toBe("");
  first.socket.destroy();
  await expect
    .poll(async () => {
      const second = client(port, get("d"));
      await Promise.race([second.closed, once(second.socket, "data")]);
      return second.received();
    })
    .toContain("<ok>");
});

test("a client that does not read a large response is disconnected", async () => {
  let answer: ServerResponse | undefined;
  const handle = (_request: IncomingMessage, response: ServerResponse) => {
    answer = response.end(Buffer.alloc(20_000_000));
  };
  const port = await serverWith(handle, { ANSWER_STALL_MS: "500" });
  const { socket } = client(port, get("large"));
  socket.pause();
  await expect.poll(() => answer?.closed).toBe(true);
  expect(answer?.writableFinished).toBe(false);
});

test("a kept-alive connection closes after the idle timeout", async () => {
  const port = await serverWith((_request, response) => response.end("<ok>"), { KEEP_ALIVE_MS: "500" });
  const silent = client(port, get("a"));
  await silent.closed;
  expect(silent.received()).toContain("<ok>");
});
