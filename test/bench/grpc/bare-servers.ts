// Minimal servers for both clients: Fastify, and node:http2 with what a gRPC call needs; headers and size are those of
// a topic's answer. The gateway's own work is the difference to them.

import { createServer, type ServerHttp2Stream } from "node:http2";
import type { AddressInfo } from "node:net";
import Fastify from "fastify";

const topic = {
  id: "01890000-0000-7000-8000-000000000001",
  title: "Benchmark",
  status: "ACTIVE",
  isInScope: true,
  createdAt: "2026-01-01T00:00:00.000Z",
  modifiedAt: "2026-01-01T00:00:00.000Z",
};
const headers = {
  "x-request-id": topic.id,
  "ratelimit-policy": '"key";q=200;w=10, "application";q=1000;w=10',
  ratelimit: '"key";r=199;t=1, "application";r=999;t=1',
};
const app = Fastify({ keepAliveTimeout: 600_000 });
app.get("/", (_request, reply) => reply.headers(headers).send({ data: topic }));
await app.listen({ host: "127.0.0.1", port: 0 });

const messageBytes = 120;
const message = Buffer.alloc(5 + messageBytes);
message.writeUInt32BE(messageBytes, 1);
const http2 = createServer();
http2.on("stream", (stream: ServerHttp2Stream) => {
  stream.resume().once("end", () => {
    const answer = { ":status": 200, "content-type": "application/grpc+proto", ...headers };
    stream.respond(answer, { waitForTrailers: true });
    stream.once("wantTrailers", () => stream.sendTrailers({ "grpc-status": "0", "x-request-id": topic.id }));
    stream.end(message);
  });
});
await new Promise<void>((resolve) => http2.listen(0, "127.0.0.1", resolve));

// Servers that listen on a host and port have no pipe name as their address.
const [rest, grpc] = [app.server, http2].map((server) => `127.0.0.1:${(server.address() as AddressInfo).port}`);
process.stdout.write(`${JSON.stringify({ rest, grpc })}\n`);
process.on("SIGTERM", () => process.exit(0));
