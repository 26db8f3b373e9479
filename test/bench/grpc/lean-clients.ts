// Clients on bare sockets. They build a request once, and read only the end of an answer and its success: node:http and
// node:http2 add 80 µs to each call, which hides the difference between the servers.

import { connect, type Socket } from "node:net";
import { type DescMethodUnary, toBinary } from "@bufbuild/protobuf";
import { endHeaders, endStream, frame, frameTypes, literal, preface } from "../../harness/raw-frames.ts";
import { framed } from "../../harness/raw-grpc.ts";
import type { Request } from "../measure.ts";
import { type Client, getPath, type Headers, type Rpc } from "./clients.ts";

/** Further calls wait in a queue; a call is a connection in HTTP/1.1 and a stream in HTTP/2. */
const inFlightMax = 64;

interface Connection {
  readonly socket: Socket;
  /** True if no call can begin on it. */
  readonly isOver: () => boolean;
  send(): Promise<void>;
}

/** REST client with one call at a time per connection. */
export function restClient(name: string, baseUrl: string, request: Request, headers: Headers): Client {
  const { hostname, port, host } = new URL(baseUrl);
  const { method, path, body } = request;
  const length = body !== undefined && { "content-length": String(Buffer.byteLength(body)) };
  const lines = Object.entries({ ...headers, host, ...length });
  const head = [`${method} ${path} HTTP/1.1`, ...lines.map(([name, value]) => `${name}: ${value}`)];
  const bytes = Buffer.from(`${head.join("\r\n")}\r\n\r\n${body ?? ""}`);
  const open = new Set<Connection>();
  const idle: Connection[] = [];
  const call = async () => {
    let connection = idle.pop();
    while (connection?.isOver()) connection = idle.pop();
    connection ??= http1Connection(connect(Number(port), hostname), bytes);
    open.add(connection);
    await connection.send();
    idle.push(connection);
  };
  return { name, call: limited(call), close: () => destroyAll(open) };
}

/** gRPC client with one connection. It requests `headers` for each call, since tokens expire. */
export function grpcClient(name: string, address: string, { method, message }: Rpc, headers: () => Headers): Client {
  const { hostname, port } = new URL(`http://${address}`);
  const call = Buffer.from(framed(toBinary(method.input, message)));
  const open = new Set<Connection>();
  const block = headerBlocks(address, method, headers);
  let connection: Connection | undefined;
  const send = () => {
    if (connection === undefined || connection.isOver()) {
      connection = http2Connection(connect(Number(port), hostname), block, call);
      open.add(connection);
    }
    return connection.send();
  };
  return { name, call: limited(send), close: () => destroyAll(open) };
}

function http1Connection(socket: Socket, request: Buffer): Connection {
  let waiting: PromiseWithResolvers<void> | undefined;
  const end = (reason: string) => waiting?.reject(new Error(reason));
  parseEach(socket, end, (bytes) => {
    const headEnd = bytes.indexOf("\r\n\r\n") + 4;
    if (headEnd < 4) return 0;
    const head = bytes.toString("latin1", 0, headEnd);
    // Every answer has a content-length.
    const length = headEnd + Number(/^content-length: *(\d+)/im.exec(head)?.[1] ?? 0);
    if (bytes.length < length) return 0;
    if (/^HTTP\/1\.1 2/.test(head)) waiting?.resolve();
    else end(bytes.toString("latin1", 0, length));
    return length;
  });
  return {
    socket,
    isOver: () => socket.readyState === "closed" || socket.readableEnded,
    send: () => {
      waiting = Promise.withResolvers();
      socket.write(request);
      return waiting.promise;
    },
  };
}

/** Flow-control windows that no benchmark exhausts. */
const [settings, window] = [Buffer.alloc(6), Buffer.alloc(4)];
settings.writeUInt16BE(4);
settings.writeUInt32BE(2 ** 31 - 1, 2);
window.writeUInt32BE(2 ** 31 - 1 - 65_535);
const opening = [frame(frameTypes.settings, 0, 0, settings), frame(frameTypes.window, 0, 0, window)];
const frameHeadBytes = 9;
const ack = 1;

function http2Connection(socket: Socket, block: () => Buffer, request: Buffer): Connection {
  const calls = new Map<number, PromiseWithResolvers<void> & { hasMessage: boolean }>();
  let [nextId, isGoing] = [1, false];
  const end = (reason: string) => {
    for (const call of calls.values()) call.reject(new Error(reason));
  };
  socket.write(Buffer.concat([preface, ...opening]));
  parseEach(socket, end, (bytes) => {
    const length = frameHeadBytes + (bytes.length < frameHeadBytes ? 0 : bytes.readUIntBE(0, 3));
    if (bytes.length < length) return 0;
    const [type, flags, id] = [bytes.readUInt8(3), bytes.readUInt8(4), bytes.readUInt32BE(5)];
    const call = calls.get(id);
    if (type === frameTypes.goaway) isGoing = true;
    else if (type === frameTypes.reset) call?.reject(new Error("the call was reset"));
    else if (type === frameTypes.settings || type === frameTypes.ping) {
      if ((flags & ack) === 0) {
        const echo = type === frameTypes.ping ? bytes.subarray(frameHeadBytes, length) : Buffer.alloc(0);
        socket.write(frame(type, ack, 0, echo));
      }
    } else if (call !== undefined && (type === frameTypes.data || type === frameTypes.headers)) {
      if (type === frameTypes.data) call.hasMessage = true;
      if ((flags & endStream) !== 0) {
        calls.delete(id);
        // An error has trailers only.
        if (call.hasMessage) call.resolve();
        else call.reject(new Error("the answer is an error"));
      }
    }
    return length;
  });
  return {
    socket,
    isOver: () => isGoing || socket.readyState === "closed" || socket.readableEnded,
    send: () => {
      const call = { ...Promise.withResolvers<void>(), hasMessage: false };
      calls.set(nextId, call);
      const headers = frame(frameTypes.headers, endHeaders, nextId, block());
      socket.write(Buffer.concat([headers, frame(frameTypes.data, endStream, nextId, request)]));
      nextId += 2;
      return call.promise;
    },
  };
}

/** Returns the header block of a call, rebuilt when the headers change. */
function headerBlocks(address: string, method: DescMethodUnary, headers: () => Headers): () => Buffer {
  const own = {
    ":path": getPath(method),
    ":authority": address,
    "content-type": "application/grpc+proto",
    te: "trailers",
  };
  let [of, block]: [Headers | undefined, Buffer] = [undefined, Buffer.alloc(0)];
  return () => {
    const now = headers();
    if (now !== of) {
      of = now;
      const lines = Object.entries({ ...own, "grpc-timeout": "20S", ...now });
      // `:method: POST` and `:scheme: http`, from HPACK's static table.
      block = Buffer.concat([Buffer.from([0x83, 0x86]), ...lines.map(([name, value]) => literal(name, value))]);
    }
    return block;
  };
}

/** Passes received bytes to `parse`, which returns the number of bytes that it consumed: 0 if it needs more. */
function parseEach(socket: Socket, onEnd: (reason: string) => void, parse: (bytes: Buffer) => number): void {
  let bytes: Buffer = Buffer.alloc(0);
  socket.setNoDelay(true);
  socket.on("error", () => undefined).on("close", () => onEnd("the connection was closed"));
  socket.on("data", (chunk: Buffer) => {
    bytes = bytes.length === 0 ? chunk : Buffer.concat([bytes, chunk]);
    for (let length = -1; bytes.length > 0 && length !== 0; bytes = bytes.subarray(length)) length = parse(bytes);
  });
}

function limited(call: () => Promise<void>): () => Promise<void> {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async () => {
    if (running < inFlightMax) running += 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      await call();
    } finally {
      const next = waiting.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  };
}

function destroyAll(connections: Iterable<Connection>): void {
  for (const { socket } of connections) socket.destroy();
}
