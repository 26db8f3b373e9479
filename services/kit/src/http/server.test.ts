// Early responses of a real server, read with plain sockets.

import { once } from "node:events";
import { type AddressInfo, connect } from "node:net";
import { setImmediate } from "node:timers/promises";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { createHttpServer } from "./server.ts";

const bytesMax = 1_000;
const urls: string[] = [];
const server = createHttpServer({ requireHostHeader: false }, async (request, response) => {
  urls.push(request.url ?? "");
  response.unreadBytesMax = bytesMax;
  if (request.url === "/later") await setImmediate();
  if (request.url === "/read") for await (const _chunk of request);
  if (request.url === "/head") response.writeHead(401, "Unauthorized", { "content-length": 0 });
  response.statusCode = 401;
  response.end();
});
server.listen(0, "127.0.0.1");
await once(server, "listening");
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const head = (path = "/", rest = "transfer-encoding: chunked") => `POST ${path} HTTP/1.1\r\n${rest}\r\n\r\n`;
const chunk = (bytes: number) => `${bytes.toString(16)}\r\n${"x".repeat(bytes)}\r\n`;

function client(text = "") {
  // The server listens on a port, so its address is an object, not the name of a pipe.
  const { port } = server.address() as AddressInfo;
  const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
  onTestFinished(() => void socket.destroy());
  let received = "";
  const errors: Error[] = [];
  socket.on("data", (data) => {
    received += data;
  });
  socket.on("error", (error) => errors.push(error));
  const ended = new Promise<void>((resolve) => socket.once("end", resolve));
  const closed = new Promise<void>((resolve) => socket.once("close", () => resolve()));
  socket.write(text);
  return { socket, ended, closed, errors, received: () => received, answers: () => received.split(" 401 ").length - 1 };
}

test.each(["/", "/later", "/head"])(
  "a response sent before the request's body ends the connection, and is read completely: %s",
  async (path) => {
    const { socket, ended, closed, errors, received } = client(head(path) + chunk(10));
    await ended;
    expect(received()).toMatch(/^HTTP\/1.1 401 .*\r\nconnection: close\r\n.*\r\n$/is);
    // The server discards later data without resetting the connection.
    socket.write(chunk(bytesMax - 10));
    socket.end("0\r\n\r\n");
    await closed;
    expect(errors).toEqual([]);
  },
);

test("a request after an early response is not handled", async () => {
  const { socket, ended, closed, answers } = client(head("/early"));
  await ended;
  urls.length = 0;
  socket.end(`${chunk(10)}0\r\n\r\n${head("/behind", "content-length: 2")}{}GET /third HTTP/1.1\r\n\r\n`);
  await closed;
  expect([answers(), urls]).toEqual([1, []]);
});

test("a body beyond the limit closes the connection after the response", async () => {
  const { socket, ended, errors, answers } = client(head());
  await ended;
  socket.write(chunk(bytesMax));
  expect(errors).toEqual([]);
  // Any further bytes close the connection.
  await expect
    .poll(() => {
      socket.write(chunk(1));
      return socket.destroyed;
    })
    .toBe(true);
  expect(answers()).toBe(1);
});

test("completely received requests keep their connection, even if the response is immediate", async () => {
  const requests = [
    "GET / HTTP/1.1\r\n\r\n",
    head("/", "content-length: 0"),
    `${head("/", "content-length: 2")}{}`,
    `${head()}${chunk(500)}0\r\n\r\n`,
    `${head("/read", "content-length: 2")}{}`,
    `${head("/", "content-length: 2\r\nexpect: more")}{}`,
  ];
  const { socket, received, answers } = client(requests.join(""));
  await expect.poll(answers).toBe(requests.length);
  for (const [index, request] of requests.entries()) {
    socket.write(request);
    await expect.poll(answers).toBe(requests.length + index + 1);
  }
  expect(received()).not.toMatch(/connection: close/i);
});
