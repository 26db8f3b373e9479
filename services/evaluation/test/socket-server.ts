import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";

export interface SocketServer {
  readonly port: number;
  /** Returns the number of bytes read from bodies. */
  readonly bodyBytes: () => number;
  readonly connections: () => number;
  close(): Promise<void>;
}

/** Progress in reading a request. */
export interface Received {
  readonly bodyBytes: number;
  /** True if the body was read to its end. */
  readonly isComplete: boolean;
}

export interface SocketBehavior {
  onConnection?(socket: Socket): unknown;
  /** Called after each read that includes or follows the end of the headers. */
  onRead?(socket: Socket, received: Received): unknown;
}

/** Starts a TCP server on loopback that can end connections in any state of an HTTP request. */
export async function socketServer({ onConnection, onRead }: SocketBehavior): Promise<SocketServer> {
  const sockets = new Set<Socket>();
  let bodyBytes = 0;
  let connections = 0;
  const server = createServer((socket) => {
    connections++;
    sockets.add(socket.on("close", () => sockets.delete(socket)).on("error", () => undefined));
    let head = Buffer.alloc(0);
    let received: Received | undefined;
    let length = 0;
    socket.on("data", (chunk: Buffer) => {
      let bytes = chunk.length;
      if (received === undefined) {
        head = Buffer.concat([head, chunk]);
        const end = head.indexOf("\r\n\r\n");
        if (end < 0) return;
        length = Number(/content-length: (\d+)/i.exec(head.toString("latin1", 0, end))?.[1]);
        bytes = head.length - end - 4;
      }
      bodyBytes += bytes;
      const total = (received?.bodyBytes ?? 0) + bytes;
      received = { bodyBytes: total, isComplete: total >= length };
      onRead?.(socket, received);
    });
    onConnection?.(socket);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  return {
    port: (server.address() as AddressInfo).port,
    bodyBytes: () => bodyBytes,
    connections: () => connections,
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}
