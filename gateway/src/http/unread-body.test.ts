import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { afterAll, expect, test } from "vitest";
import { discardUnread } from "./unread-body.ts";

const bytesMax = 1_000;
const server = createServer((request, response) => {
  discardUnread(request, bytesMax);
  response.writeHead(401, { "content-length": 0 }).end();
});
server.listen(0, "127.0.0.1");
await once(server, "listening");
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const head = "POST / HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\n";
const chunk = (bytes: number) => `${bytes.toString(16)}\r\n${"x".repeat(bytes)}\r\n`;

function client() {
  const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
  let received = "";
  socket.on("data", (data) => {
    received += data;
  });
  socket.on("error", () => undefined);
  return { socket, answers: () => received.split("401 Unauthorized").length - 1 };
}

test("a body within the limit is discarded, and the connection serves the next request", async () => {
  const { socket, answers } = client();
  socket.write(head);
  await expect.poll(answers).toBe(1);
  socket.write(`${chunk(bytesMax)}0\r\n\r\n${head}`);
  await expect.poll(answers).toBe(2);
  socket.destroy();
});

test("a body beyond the limit ends the connection, after the answer", async () => {
  const { socket, answers } = client();
  socket.write(head);
  await expect.poll(answers).toBe(1);
  socket.write(chunk(bytesMax));
  socket.write(chunk(1));
  await once(socket, "close");
  expect(answers()).toBe(1);
});
